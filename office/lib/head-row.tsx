/** The heads of a table's columns. */
export function HeadRow({ heads }: { heads: readonly string[] }) {
  return (
    <thead className="text-ink-soft text-sm">
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" className="text-left font-semibold">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
