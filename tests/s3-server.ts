/** A real server of the S3 protocol for tests, which checks signatures. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { vi } from 'vitest';

export interface S3Server {
  /** Its address: 'http://127.0.0.1:<port>'. */
  origin: string;
  /** Where an object of the bucket is on the disk; without `key`, the folder of all objects. */
  pathOf(key?: string): string;
  /** Stops it; requests then fail as they do where the store is down. */
  stop(): Promise<void>;
  /** Stops it, and removes `folder` and the keys from the environment. */
  close(): Promise<void>;
}

/** Starts the server with an empty bucket, which it keeps in `folder`, and puts its keys into the environment. */
export async function startS3Server(folder: string, bucket: string): Promise<S3Server> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  const directory = join(folder, 'store');
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    origin: `http://127.0.0.1:${port}`,
    pathOf: (key) =>
      key === undefined ? join(directory, bucket) : join(directory, bucket, `${key}._S3rver_object`),
    stop: () => server.close(),
    async close() {
      // It may have been stopped before.
      await server.close().catch(() => {});
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
