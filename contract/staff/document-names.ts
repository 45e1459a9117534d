/** What the calls of a kind of documents are named: server, contract and office find them by it. */
export function documentCallNames(kind: string) {
  const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  return {
    read: kind,
    add: `add${title}`,
    save: `save${title}`,
    revisions: `${kind}Revisions`,
    restore: `restore${title}`,
    use: `${kind}Use`,
    remove: `remove${title}`,
  };
}
