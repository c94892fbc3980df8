/** Dictionaries: the dictionaries themselves in one table, the values of the chosen one in the other, beside it or below. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Switch, Table, type TableProps } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { readRow, submitRow, treeRows } from '@/api/nounCalls';
import type { dict } from '@/api/nouns/dict';
import type { dictbiz } from '@/api/nouns/dictbiz';
import { useTranslation } from '@/i18n';
import { columnsOf } from '@/kit/NounPage';
import { TreeReferenceField } from '@/kit/nounFields';
import { useFilters } from '@/kit/nounFilters';
import { actionsWidth, ResourceList, RowActions } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { type NounControl, useNoun } from '@/kit/useNoun';
import { useBroad } from '@/kit/width';

type Dictionary = typeof dict | typeof dictbiz;
type Row = RowOf<typeof dict>;

interface DictionariesProps {
  noun: Dictionary;
  /** Values beside their dictionary, or below it. */
  arrangement: 'beside' | 'below';
  /** Whose rows they are, where an administrator of the platform has chosen a company, and the choice itself. */
  tenantId?: string;
  picker?: ReactNode;
}

const WIDTH = 880;

interface SealedProps {
  row: Row;
  noun: Dictionary;
  may: boolean;
  tenantId: string | undefined;
}

/** The switch in the table: sealed values stay readable and are not offered any more. */
function Sealed({ row, noun, may, tenantId }: SealedProps) {
  const action = useAction<boolean>({
    run: (sealed) =>
      submitRow(noun, {
        id: row.id,
        lockVersion: row.lockVersion,
        isSealed: sealed ? 1 : 0,
        tenantId,
      }),
    invalidates: [[noun.name], ['dictionary']],
  });
  const { t } = useTranslation();
  if (!may) return t(row.isSealed === 1 ? 'kit.yes' : 'kit.no');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the switch's click from opening the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: same
    <span onClick={(event) => event.stopPropagation()}>
      <Switch
        size="small"
        aria-label={`${t('system.sealed')} ${row.title}`}
        checked={row.isSealed === 1}
        loading={action.busy}
        onChange={action.run}
      />
    </span>
  );
}

export function Dictionaries({ noun: given, arrangement, tenantId, picker }: DictionariesProps) {
  // The two have the same fields; their names differ.
  const noun = given as typeof dict;
  const { t } = useTranslation();
  const broad = useBroad();
  const [params, setParams] = useSearchParams();
  const choose = (id: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        next.set('node', id);
        return next;
      },
      { replace: true },
    );
  const beside = arrangement === 'beside' && broad;
  // Half a page would stand empty: until one is chosen, the first one's values are shown.
  const [first, setFirst] = useState<string>();
  const keepFirst = useCallback((rows: readonly Row[]) => setFirst(rows[0]?.id), []);
  const chosen = params.get('node') ?? (beside ? first : undefined);
  const control = useNoun<typeof dict>({
    noun,
    name: 'title',
    width: WIDTH,
    form: ['code', 'dictValue', 'dictValueEn', 'sort', 'isSealed', 'remark'],
    initial: { sort: 1, isSealed: 0 },
    touches: [['dictionary']],
    fixed: { tenantId },
  });
  const filters = useFilters(noun, ['dictValue', 'code', 'isSealed']);
  const may = control.can('submit');
  const columns = columnsOf(
    noun,
    [
      { key: 'title', width: beside ? 130 : 180 },
      { key: 'code', width: 170 },
      { key: 'sort', width: 90, extra: beside },
      {
        key: 'isSealed',
        width: 90,
        render: (row) => <Sealed row={row} noun={given} may={may} tenantId={tenantId} />,
      },
      { key: 'remark', width: 160, extra: beside },
    ],
    control.label,
  );
  return (
    <div className={beside ? 'x-pair x-pair-beside' : 'x-pair'}>
      <div>
        <ResourceList<Row>
          name={noun.name}
          title={control.title}
          load={(query, signal) => api.get(`${noun.path}/parent-list`, query, signal)}
          fixed={{ tenantId }}
          columns={columns}
          opened={chosen}
          filters={filters}
          inline={beside ? 2 : 3}
          action={(asked) => (
            <>
              {picker}
              {control.headActions(asked)}
            </>
          )}
          card={(row) => ({
            title: row.title,
            state: row.isSealed === 1 && <ToneTag tone="off">{t('system.sealed')}</ToneTag>,
            meta: [row.code, row.remark],
          })}
          onOpen={(row) => choose(row.id)}
          onRows={keepFirst}
          rowActions={control.rowActions}
        />
        {control.dialogs}
      </div>
      <Values noun={given} parentId={chosen} tenantId={tenantId} below={!beside} key={chosen} />
      {!chosen && (
        <section className="x-panel">
          <EmptyState title={t('system.chooseDictionary')} />
        </section>
      )}
    </div>
  );
}

interface ValuesProps {
  noun: Dictionary;
  parentId: string | undefined;
  tenantId: string | undefined;
  /** They stand below the list, perhaps out of sight. */
  below: boolean;
}

function Values({ noun: given, parentId, tenantId, below }: ValuesProps) {
  const noun = given as typeof dict;
  const { t } = useTranslation();
  const parent = useQuery({
    queryKey: [noun.name, 'detail', parentId, 'head'],
    queryFn: ({ signal }) => readRow(noun, { id: parentId, tenantId }, signal),
    enabled: parentId !== undefined,
  });
  const { data, error, refetch } = useQuery({
    queryKey: [noun.name, 'children', parentId],
    queryFn: ({ signal }) => treeRows(noun, 'child-list', { parentId, tenantId }, signal),
    enabled: parentId !== undefined,
  });
  const control: NounControl<typeof dict> = useNoun<typeof dict>({
    noun,
    name: 'title',
    width: WIDTH,
    form: [
      { key: 'code', disabled: true },
      'dictValue',
      'dictValueEn',
      { key: 'dictKey', required: true },
      'sort',
      'isSealed',
      {
        key: 'parentId',
        control: (props) => (
          <TreeReferenceField {...props} path={`${noun.path}/tree`} params={{ code: 'DICT', tenantId }} />
        ),
      },
      'remark',
    ],
    touches: [['dictionary']],
    fixed: { tenantId },
  });
  const area = useRef<HTMLElement>(null);
  const ready = data !== undefined && parent.data !== undefined;
  useEffect(() => {
    if (ready && below) area.current?.scrollIntoView({ block: 'nearest' });
  }, [ready, below]);
  if (parentId === undefined) return null;
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data || !parent.data) return <PageSkeleton rows={5} />;
  const may = control.can('submit');
  const add = () =>
    control.openForm(undefined, {
      code: parent.data?.code,
      parentId,
      sort: data.length + 1,
      isSealed: 0,
    });
  const columns = columnsOf(
    noun,
    [
      { key: 'title', width: 150 },
      { key: 'dictKey', width: 90 },
      { key: 'sort', width: 90 },
      {
        key: 'isSealed',
        width: 90,
        render: (row) => <Sealed row={row} noun={given} may={may} tenantId={tenantId} />,
      },
      { key: 'remark', width: 160, extra: !below },
    ],
    control.label,
  ).filter((column) => !column.extra);
  const table: NonNullable<TableProps<Row>['columns']> = columns.map((column) => ({
    key: column.key,
    title: column.title,
    width: column.width,
    align: column.align,
    render: (_, row) => column.render?.(row),
  }));
  if (data.some((row) => control.rowActions(row).length > 0)) {
    table.push({
      key: 'actions',
      title: t('kit.actions'),
      width: actionsWidth(data.map(control.rowActions)),
      fixed: 'end',
      render: (_, row) => <RowActions actions={control.rowActions(row)} />,
    });
  }
  return (
    <section aria-label={parent.data.title} ref={area}>
      <div className="x-head">
        <h2 className="x-pair-title">{parent.data.title}</h2>
        <span className="x-head-count">{t('kit.list.count', { n: data.length })}</span>
        {control.can('add') && (
          <div className="x-head-actions">
            <Button type="primary" icon={<PlusOutlined />} onClick={add}>
              {t('system.addValue')}
            </Button>
          </div>
        )}
      </div>
      <div className="x-rows x-panel">
        <Table<Row>
          rowKey="id"
          size="middle"
          dataSource={data}
          pagination={false}
          scroll={{ x: table.reduce((sum, column) => sum + Number(column.width), 0) }}
          locale={{ emptyText: t('system.noValues') }}
          columns={table}
        />
      </div>
      {control.dialogs}
    </section>
  );
}
