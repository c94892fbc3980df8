/** Forests of rows: narrowed to what is looked for, joined from levels, and what is unfolded. */

/** Leaves have no children; an empty list is a level that has not come yet. */
export type Nested<Row> = Row & { children?: Nested<Row>[]; hasChildren?: boolean };

/** Hits with all that is below them, and the ways to them. */
export function narrowed<Row extends { id: string }>(
  rows: readonly Nested<Row>[],
  test: (row: Row) => boolean,
): Nested<Row>[] {
  return rows.flatMap((row) => {
    if (test(row)) return [row];
    const children = narrowed<Row>(row.children ?? [], test);
    return children.length > 0 ? [{ ...row, children }] : [];
  });
}

/** Ids of the rows that have others below them, at most `depth` levels deep. */
export function branches<Row extends { id: string }>(
  rows: readonly Nested<Row>[],
  depth = Number.POSITIVE_INFINITY,
): string[] {
  if (depth <= 0) return [];
  return rows.flatMap((row) =>
    row.children ? [row.id, ...branches<Row>(row.children as Nested<Row>[], depth - 1)] : [],
  );
}

export function countRows<Row extends { id: string }>(rows: readonly Nested<Row>[]): number {
  return rows.reduce((sum, row) => sum + 1 + countRows<Row>((row.children ?? []) as Nested<Row>[]), 0);
}

/** Rows of one level with the levels that have come below them; those to come are empty, so that they can be unfolded. */
export function joined<Row extends { id: string }>(
  rows: readonly Nested<Row>[],
  levelOf: (id: string) => readonly Nested<Row>[] | undefined,
): Nested<Row>[] {
  return rows.map((row) =>
    row.hasChildren ? { ...row, children: joined<Row>(levelOf(row.id) ?? [], levelOf) } : row,
  );
}

/** Whether a row passes filters as the address holds them: a name, or a name with a suffix of the dialect. */
export function passes(
  row: Readonly<Record<string, unknown>>,
  filters: Readonly<Record<string, string>>,
  kinds: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(filters).every(([parameter, wanted]) => {
    const [name = '', suffix = ''] = parameter.split('_');
    const value = String(row[name] ?? '');
    if (suffix === 'dategt') return value.slice(0, 10) >= wanted;
    if (suffix === 'datelt') return value !== '' && value.slice(0, 10) <= wanted;
    if (suffix === 'like' || kinds[name] === 'text')
      return value.toLowerCase().includes(wanted.toLowerCase());
    return wanted.split(',').includes(value);
  });
}

/** Rows of several levels, hung below each other as far as they are there. */
export function hung<Row extends { id: string }>(rows: readonly Nested<Row>[]): Nested<Row>[] {
  const byParent = new Map<string, Nested<Row>[]>();
  const ids = new Set(rows.map((row) => row.id));
  for (const row of rows) {
    const { parentId = '' } = row as { parentId?: string };
    const key = ids.has(parentId) ? parentId : '';
    byParent.set(key, [...(byParent.get(key) ?? []), row]);
  }
  const below = (key: string): Nested<Row>[] =>
    (byParent.get(key) ?? []).map((row) => ({
      ...row,
      hasChildren: false,
      children: byParent.has(row.id) ? below(row.id) : undefined,
    }));
  return below('');
}
