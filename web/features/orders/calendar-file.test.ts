import { describe, expect, it } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const event = {
  uid: 'MC-2026-000204@shop',
  start: Date.UTC(2026, 10, 21, 19, 30),
  minutes: 15,
  made: Date.UTC(2026, 10, 20, 12),
  title: 'Pick up order MC-2026-000204',
  place: '642 Queen Street West, Toronto',
  description: 'Bring the order number; we keep it for you.\nCall +1 416-555-0142',
};

describe('a calendar file', () => {
  it('a calendar file gives time and place, in universal time', () => {
    const file = calendarFile(event);
    expect(file).toContain('DTSTART:20261121T193000Z\r\n');
    expect(file).toContain('DTEND:20261121T194500Z\r\n');
    expect(file.startsWith('BEGIN:VCALENDAR\r\n')).toBe(true);
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  });

  it('a calendar file escapes characters that have a meaning in the format', () => {
    const text = calendarFile(event).replaceAll('\r\n ', '');
    expect(text).toContain('LOCATION:642 Queen Street West\\, Toronto');
    expect(text).toContain('DESCRIPTION:Bring the order number\\; we keep it for you.\\nCall');
  });

  it('a calendar file folds long lines by bytes, without cutting a character', () => {
    const file = calendarFile({ ...event, description: '请凭订单号取货，我们会为您保留三天。'.repeat(6) });
    const encoder = new TextEncoder();
    for (const line of file.split('\r\n')) expect(encoder.encode(line).length).toBeLessThanOrEqual(75);
    expect(file.replaceAll('\r\n ', '')).toContain('请凭订单号取货，我们会为您保留三天。'.repeat(6));
  });
});
