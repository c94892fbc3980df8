/** What must not compile: the check of the types is the test, so the elements are never drawn. */
import { expect, test } from 'vitest';
import type { InputOf, RowOf } from '@/api/noun';
import { gauge } from '@/testing/nouns';
import { NounPage } from './NounPage';

const rest = { noun: gauge, name: 'gaugeName', columns: [], form: [] } as const;

function wrong() {
  return [
    // @ts-expect-error no such column
    <NounPage key={1} {...rest} columns={['gaugename']} />,
    // @ts-expect-error only detail answers it
    <NounPage key={2} {...rest} columns={['history']} />,
    // @ts-expect-error it is sent, never answered
    <NounPage key={3} {...rest} columns={['pin']} />,
    // @ts-expect-error no such filter
    <NounPage key={4} {...rest} filters={['remark']} />,
    // @ts-expect-error an id that nobody knows the source of
    <NounPage key={5} {...rest} filters={['ownerId']} />,
    // @ts-expect-error no such field
    <NounPage key={6} {...rest} form={['code']} />,
    // @ts-expect-error it cannot be written
    <NounPage key={7} {...rest} form={['createTime']} />,
    // @ts-expect-error an id that nobody knows the source of
    <NounPage key={8} {...rest} form={['ownerId']} />,
    // @ts-expect-error no such column
    <NounPage key={9} {...rest} columns={[{ key: 'nope', width: 100 }]} />,
    // @ts-expect-error rows have no such field
    <NounPage key={10} {...rest} columns={[{ key: 'kindName', render: (row) => row.nope }]} />,
    // @ts-expect-error no such field names a row
    <NounPage key={11} {...rest} name="title" />,
  ];
}

function right() {
  return (
    <NounPage
      noun={gauge}
      name="gaugeName"
      columns={['gaugeCode', { key: 'kindName', width: 90, render: (row) => row.kind === 1 && row.kindName }]}
      filters={[
        'gaugeName',
        'deptId',
        { kind: 'reference', name: 'ownerId', label: '', source: { ref: '/x' } },
      ]}
      form={[
        'gaugeCode',
        'deptId',
        { key: 'ownerId', control: (props) => props.label },
        { key: 'pin', on: 'add' },
        { group: '' },
      ]}
      detail={['history']}
    />
  );
}

test('values have the types of their kinds', () => {
  const row = { kind: 1, gaugeName: 'a', deptId: null, isSealed: 0 } satisfies Partial<RowOf<typeof gauge>>;
  const input: InputOf<typeof gauge> = { kind: 2, pin: '1', deptId: null };
  // @ts-expect-error 3 is none of the options
  const wrongKind: InputOf<typeof gauge> = { kind: 3 };
  // @ts-expect-error it cannot be written
  const wrongKey: InputOf<typeof gauge> = { createTime: '' };
  expect([row, input, wrongKind, wrongKey, wrong, right]).toHaveLength(6);
});
