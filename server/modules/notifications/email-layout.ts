/**
 * Renders an email made of simple parts as text and as HTML that every mail program displays: one column, one table for the lines
 * of an order, inline styles, no images, no external resources.
 */
import { escapeHtml } from '#server/platform/html.ts';

export type EmailPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  /** A code to read or copy, such as a temporary password. */
  | { kind: 'code'; text: string }
  | { kind: 'button'; label: string; url: string }
  /** Lines with an amount at the end; `strong` marks totals. */
  | { kind: 'rows'; rows: readonly { label: string; note?: string; amount: string; strong?: boolean }[] };

export interface EmailContent {
  /** BCP 47. */
  language: string;
  shopName: string;
  title: string;
  parts: readonly EmailPart[];
  /** Below the line: the sender, and the reason for the email. */
  footer: readonly string[];
}

const ink = '#211e1a';
const soft = '#5f574c';
const line = '#e0d7c9';
const font = "font-family:-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif";

export function renderText({ shopName, title, parts, footer }: EmailContent): string {
  const blocks = [title, ...parts.map(textOf), ['-- ', shopName, ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function textOf(part: EmailPart): string {
  switch (part.kind) {
    case 'heading':
      return part.text.toUpperCase();
    case 'text':
      return part.text;
    case 'code':
      return `    ${part.text}`;
    case 'button':
      return `${part.label}:\n${part.url}`;
    case 'rows':
      return part.rows.map(({ label, note, amount }) => `${label}${note ? ` (${note})` : ''}: ${amount}`).join('\n');
  }
}

export function renderHtml({ language, shopName, title, parts, footer }: EmailContent): string {
  return [
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:0;background:#f8f4ed;color:${ink};${font};font-size:16px;line-height:1.55">`,
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;background:#fffdf9;border-radius:8px">',
    '<tr><td style="padding:32px 28px">',
    `<p style="margin:0 0 24px;color:${soft};font-size:15px">${escapeHtml(shopName)}</p>`,
    `<h1 style="margin:0 0 20px;font-size:24px;line-height:1.3;font-weight:600">${escapeHtml(title)}</h1>`,
    ...parts.map(htmlOf),
    `<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid ${line};color:${soft};font-size:13px">`,
    footer.map(escapeHtml).join('<br>'),
    '</p></td></tr></table></td></tr></table></body></html>',
  ].join('\n');
}

function htmlOf(part: EmailPart): string {
  switch (part.kind) {
    case 'heading':
      return `<h2 style="margin:28px 0 8px;font-size:17px;font-weight:600">${escapeHtml(part.text)}</h2>`;
    case 'text':
      return `<p style="margin:0 0 16px">${escapeHtml(part.text).replaceAll('\n', '<br>')}</p>`;
    case 'code':
      return `<p style="margin:0 0 16px;padding:14px 16px;background:#efe8dd;border-radius:6px;font-family:ui-monospace,Consolas,monospace;font-size:20px;letter-spacing:1px">${escapeHtml(part.text)}</p>`;
    case 'button':
      return `<p style="margin:8px 0 20px"><a href="${escapeHtml(part.url)}" style="display:inline-block;padding:12px 20px;background:#2b5d4b;color:#fffdf9;border-radius:6px;text-decoration:none;font-weight:600">${escapeHtml(part.label)}</a></p>`;
    case 'rows':
      return `<table width="100%" cellspacing="0" cellpadding="0" style="margin:0 0 16px;border-collapse:collapse">${part.rows.map(rowOf).join('')}</table>`;
  }
}

function rowOf({ label, note, amount, strong }: { label: string; note?: string; amount: string; strong?: boolean }): string {
  const cell = `padding:8px 0;border-top:1px solid ${line};vertical-align:top${strong ? ';font-weight:600' : ''}`;
  const below = note ? `<br><span style="color:${soft};font-size:14px">${escapeHtml(note)}</span>` : '';
  return `<tr><td style="${cell}">${escapeHtml(label)}${below}</td><td align="right" style="${cell};padding-left:16px;white-space:nowrap">${escapeHtml(amount)}</td></tr>`;
}
