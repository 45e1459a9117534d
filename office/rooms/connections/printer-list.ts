/** The printers as the variable TICKET_PRINTERS lists them, and as the fields of a form. */

export interface Printer {
  store: string;
  host: string;
  port: string;
  columns: string;
  encoding: string;
}

/** An address that is not typed yet, or not valid, stays as it is. */
export const textOf = (printers: readonly Printer[]): string =>
  printers
    .map(
      ({ store, host, port, columns, encoding }) =>
        `${store}=tcp://${host.replace(/\s/g, '')}:${port.replace(/\D/g, '')}?columns=${columns}&encoding=${encoding}`,
    )
    .join(' ');

// The port and the query are the last of their kind: whatever people type as the address is in front of them.
const printerForm = /^([\w-]+)=tcp:\/\/(.*?)(?::(\d*))?\/?(?:\?([^?]*))?$/;

export function printersIn(text: string): Printer[] {
  return text.split(/\s+/).flatMap((part) => {
    const [, store, host = '', port = '', query = ''] = printerForm.exec(part) ?? [];
    if (store === undefined) return [];
    const said = new URLSearchParams(query);
    return [
      {
        store,
        host,
        port,
        columns: said.get('columns') ?? '42',
        encoding: said.get('encoding') ?? 'gb18030',
      },
    ];
  });
}
