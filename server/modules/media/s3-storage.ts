/** Files in an S3-compatible object store. The SDK is loaded with the first file that is asked for. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import type { MediaStorage } from './storage.ts';

/** How long the store may take to accept a connection, and to begin its answer, ms. */
const connectMs = 3000;
const answerMs = 10_000;
/** When a client that the store failed may ask again, ms. */
const retryAfterMs = 10_000;

/** Files up to this size are uploaded from memory, bytes: the SDK repeats such requests if the store fails for a moment. */
const uploadFromMemory = 8_000_000;
/** The slowest line on which a file can be uploaded, bytes/ms. */
const slowestUpload = 50;

export type S3Target = NonNullable<Env['mediaStore']>;
type Sdk = typeof import('@aws-sdk/client-s3');
type Place = { Bucket: string; Key: string };

/** The object store cannot be reached, or rejects the shop's requests. Clients get 503. */
export class MediaStoreError extends AppError {
  override name = 'MediaStoreError';

  constructor({ bucket }: S3Target, error: unknown) {
    super('SYSTEM_ERROR', { errorKey: 'error.unavailable', status: 503, retryAfterMs });
    this.message = `The bucket ${bucket} cannot be used: ${error instanceof Error ? error.name : error}`;
    this.cause = error;
  }
}

export interface S3Storage extends MediaStorage {
  /** Copies a file of this machine, of `size` bytes. @throws {MediaStoreError} */
  upload(key: string, path: string, size: number): Promise<void>;
}

export function createS3Storage(target: S3Target): S3Storage {
  let opened: Promise<{ sdk: Sdk; client: InstanceType<Sdk['S3Client']> }> | null = null;
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: clientFor(sdk, target) }));
    return opened;
  };

  /** Null if there is no such object. @throws {MediaStoreError} */
  async function ask<T>(
    key: string,
    work: (s3: Awaited<ReturnType<typeof open>>, place: Place) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await work(await open(), { Bucket: target.bucket, Key: target.prefix + key });
    } catch (error) {
      if (error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)) return null;
      throw new MediaStoreError(target, error);
    }
  }

  const read = (key: string) =>
    ask(key, async ({ sdk, client }, place) => {
      const { Body } = await client.send(new sdk.GetObjectCommand(place));
      return Body ? Buffer.from(await Body.transformToByteArray()) : null;
    });

  return {
    shared: true,
    source: read,
    read,
    async write(key, bytes) {
      await ask(key, ({ sdk, client }, place) =>
        client.send(new sdk.PutObjectCommand({ ...place, Body: bytes })),
      );
    },
    async remove(key) {
      await ask(key, ({ sdk, client }, place) => client.send(new sdk.DeleteObjectCommand(place)));
    },
    async upload(key, path, size) {
      const requestTimeout = answerMs + size / slowestUpload;
      const content = size <= uploadFromMemory ? await readFile(path) : createReadStream(path);
      await ask(key, ({ sdk, client }, place) =>
        client.send(new sdk.PutObjectCommand({ ...place, Body: content, ContentLength: size }), {
          requestTimeout,
        }),
      );
    },
    stat: (key) =>
      ask(key, async ({ sdk, client }, place) => {
        const { ContentLength: size = 0, ETag: etag = `"${size}"` } = await client.send(
          new sdk.HeadObjectCommand(place),
        );
        return { size, etag };
      }),
    async stream(key, start, end) {
      const range = `bytes=${start}-${end}`;
      const body = await ask(key, async ({ sdk, client }, place) => {
        return (await client.send(new sdk.GetObjectCommand({ ...place, Range: range }))).Body;
      });
      if (!(body instanceof Readable))
        throw new MediaStoreError(target, new Error('The object has disappeared'));
      return body;
    },
  };
}

/** Keys come from where the SDK looks for them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of the machine. */
function clientFor({ S3Client }: Sdk, { endpoint, region }: S3Target): InstanceType<Sdk['S3Client']> {
  return new S3Client({
    region,
    // Stores other than Amazon's have no address per bucket, and not all know its newer checksums.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
  });
}
