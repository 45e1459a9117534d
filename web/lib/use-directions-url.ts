import { useHydrated } from '@tanstack/react-router';
import { deviceOf, directionsUrl, type Place } from './directions.ts';

/** The link with directions to a store named `name`, for the device's map app. */
export function useDirectionsUrl(place: Place, name: string): string {
  // The server renders the link for other devices; the browser replaces it once it knows its map app.
  const device = useHydrated() ? deviceOf(navigator.userAgent) : 'other';
  return directionsUrl(place, name, device);
}
