import { notFound } from '@tanstack/react-router';
import { isMissing } from './api.ts';

/** In a loader: turns a name that the API does not know or rejects into the not-found view, with status 404 on the server. */
export async function orNotFound<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (isMissing(error)) throw notFound();
    throw error;
  }
}
