import { expect, it } from 'vitest';
import { carrierKeys, carriers, readTracking, trackingUrl } from './carriers.ts';

it.each([
  [' 1Z 999 AA1 01 2345 6784 ', { carrier: null, number: '1Z999AA10123456784', url: null }],
  ['', { carrier: null, number: '', url: null }],
  [
    'https://www.ups.com/track?loc=en_CA&tracknum=1Z999AA10123456784',
    { carrier: 'ups', number: '1Z999AA10123456784', url: null },
  ],
  [
    'https://www.canadapost-postescanada.ca/track-reperage/en#/details/7023210039414604',
    { carrier: 'canadaPost', number: '7023210039414604', url: null },
  ],
  ['https://bikes.example/parcel/88', { carrier: null, number: '', url: 'https://bikes.example/parcel/88' }],
  ['javascript:alert(1)', null],
  ['it left this morning', null],
])('the text %j is read as %j', (text, tracking) => {
  expect(readTracking(text)).toEqual(tracking);
});

it.each(carrierKeys)('the link of %s has the number and is read back', (carrier) => {
  const number = '123456789012';
  const url = trackingUrl({ carrier, number, url: null }) ?? '';
  expect(url.startsWith('https://')).toBe(true);
  expect(readTracking(url)).toEqual({ carrier, number, url: null });
  expect(carriers[carrier].name).not.toBe('');
});
