/** The line icons of later pages: of the blog, the stores, checkout and account. They are not part of a first view's scripts. */
import type { IconPath } from '#ui/icon.tsx';

export const cardIcon: IconPath = 'M3.5 5.5h17v13h-17zM3.5 10h17M7 15h3';
export const heartIcon: IconPath =
  'M12 20C7.5 16.5 3.5 13.2 3.5 9.1A4.6 4.6 0 0 1 12 6.6a4.6 4.6 0 0 1 8.5 2.5C20.5 13.2 16.5 16.5 12 20z';
export const shareIcon: IconPath = 'M12 15V3.5M8 7l4-3.5L16 7M7.5 11h-2v9.5h13V11h-2';
export const printIcon: IconPath = 'M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z';
export const calendarIcon: IconPath = 'M4 5.5h16v15H4zM4 10h16M8 3v4M16 3v4';
export const returnIcon: IconPath = 'M8 5L4 9l4 4M4 9h10.5a5 5 0 0 1 0 10H7';
export const clockIcon: IconPath = 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 7.5V12l3 2';
export const phoneIcon: IconPath =
  'M5 4h4l1.75 4.5L8.5 10a12 12 0 0 0 5.5 5.5l1.5-2.25L20 15v4a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6A1.5 1.5 0 0 1 5 4';
export const mailIcon: IconPath = 'M3.5 5.5h17v13h-17zM3.5 6.5l8.5 7 8.5-7';
export const pinIcon: IconPath =
  'M12 21.5c4.5-4.7 6.75-8.4 6.75-11.5a6.75 6.75 0 0 0-13.5 0c0 3.1 2.25 6.8 6.75 11.5M12 7.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5';
export const lockIcon: IconPath = 'M5.5 10.5h13v10h-13zM8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2.5';
export const eyeIcon: IconPath =
  'M2.5 12C5 7.7 8.2 5.5 12 5.5s7 2.2 9.5 6.5c-2.5 4.3-5.7 6.5-9.5 6.5S5 16.3 2.5 12M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6';
export const eyeOffIcon: IconPath =
  'M5.5 8.2A16 16 0 0 0 2.5 12c2.5 4.3 5.7 6.5 9.5 6.5c1.7 0 3.3-.4 4.7-1.3M9.2 6c.9-.3 1.8-.5 2.8-.5c3.8 0 7 2.2 9.5 6.5a17 17 0 0 1-2 2.9M9.9 9.9a3 3 0 0 0 4.2 4.2M4 4l16 16';
