/** The records of a case as a list: what is not finished or all of them, where each stands, and the way to its page. */
import { Button, Segmented } from 'antd';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Case } from '@/api/case';
import type { Noun, RowOf } from '@/api/noun';
import { listRows } from '@/api/nounCalls';
import { useLanguage, useTranslation } from '@/i18n';
import { extraColumns, useExtraFilters, useExtras, useExtrasReady } from '@/kit/extras';
import type { Filter } from '@/kit/filters';
import { cardLines, columnsOf } from '@/kit/NounPage';
import { type FilterEntry, useFilters } from '@/kit/nounFilters';
import { labelIn, useLabels } from '@/kit/nounText';
import { ResourceList, type ResourceListProps } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { ExportButton } from '@/kit/useNoun';
import { usePhone } from '@/kit/width';
import { inSentence } from '@/lib/sentence';
import { useCan, useEntry } from '@/session/rights';
import type { CaseListScreen, CaseProps } from './screen';

type Row = RowOf<Noun> & Readonly<Record<string, unknown>> & { status: number; statusName: string };

/** All records, or the open ones; kept in the address. Which states are asked for says it better where they are. */
function useView(begins: 'open' | 'all') {
  const [params, setParams] = useSearchParams();
  const view = params.get('status') ? 'all' : (params.get('view') ?? begins);
  const setView = (wanted: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        for (const name of ['current', 'status', 'view']) next.delete(name);
        if (wanted !== begins) next.set('view', wanted);
        return next;
      },
      { replace: true },
    );
  return [view, setView] as const;
}

/** The statuses that a list can show: nobody but its writer reads a draft. */
const shownStatuses = (of: Case) => (of.start.drafts ? of.statuses.slice(1) : of.statuses);

/** A status in the case's own tone. */
export function CaseStatus({ of, row }: { of: Case; row: Pick<Row, 'status' | 'statusName'> }) {
  const tone = of.statuses.find(([value]) => value === row.status)?.[3] ?? 'quiet';
  return <ToneTag tone={tone as Tone}>{row.statusName}</ToneTag>;
}

const useNothing = (): CaseListScreen => ({});

export function CaseList({ of, screen }: CaseProps) {
  const useList = screen.useList ?? useNothing;
  return of.list ? <List of={of} noun={of.list.noun} useList={useList} /> : null;
}

interface ListProps {
  of: Case;
  noun: Noun;
  useList: () => CaseListScreen;
}

function List({ of, noun, useList }: ListProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const phone = usePhone();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const entry = useEntry(pathname);
  const label = useLabels(noun);
  const mayExport = useCan(noun.codes.export ?? '');
  const list = useList();
  const [view, setView] = useView(list.begins ?? 'all');
  const status: Filter = {
    kind: 'select',
    name: 'status',
    label: label('status'),
    multiple: true,
    options: shownStatuses(of).map(([value, zh, en]) => ({
      value: String(value),
      label: labelIn(language, [zh, en]),
    })),
  };
  const asked = list.filters ?? (Object.keys(noun.filters) as FilterEntry<Noun>[]).filter(isUsual);
  // Of choices people want several at once.
  const own = useFilters(
    noun,
    asked.map((one) => (one === 'status' ? status : one)),
  ).map((one) =>
    one.kind === 'select' && noun.fields[one.name]?.options ? { ...one, multiple: true } : one,
  );
  const extras = useExtras(noun);
  const ready = useExtrasReady(extras);
  const filters = [...own, ...useExtraFilters(noun, extras.fields)];
  const state = (row: object) => {
    const tag = <CaseStatus of={of} row={row as Row} />;
    const marks = list.marks?.(row as Row);
    return marks ? (
      <span className="x-marks">
        {tag}
        {marks}
      </span>
    ) : (
      tag
    );
  };
  const columns = [
    ...columnsOf(noun, list.columns, label, { statusName: state }),
    ...extraColumns<Row>(extras.fields, language),
  ];
  const onCard = columns.filter(
    ({ key, extra }) => !extra && ![of.number, 'status', 'statusName'].includes(key),
  );
  const card: NonNullable<ResourceListProps<Row>['card']> = (row) => ({
    title: String(row[of.number]),
    meta: cardLines(onCard, row),
    ...list.card?.(row),
    state: <CaseStatus of={of} row={row} />,
  });
  const title = labelIn(language, of.title);
  // Chinese nouns have no plural; the English menu's entries are one.
  const name = language === 'zh-CN' ? title : inSentence(entry?.name ?? title);
  const to = (row: { id: string }) => `${pathname}/${row.id}`;
  const isOpen = view === 'open';
  return (
    <ResourceList<Row>
      name={list.name ?? noun.name}
      title={entry?.name ?? title}
      load={(query, signal) => listRows(noun, query, signal) as ReturnType<ResourceListProps<Row>['load']>}
      ready={ready}
      fixed={isOpen ? { status: of.open.join(',') } : undefined}
      columns={columns as ResourceListProps<Row>['columns']}
      filters={filters}
      inline={list.inline}
      views
      poll={60}
      action={(params) => (
        <>
          <Segmented
            value={view}
            onChange={setView}
            options={[
              { value: 'open', label: t('work.case.open') },
              { value: 'all', label: t('work.case.all') },
            ]}
          />
          {mayExport && !phone && <ExportButton noun={noun} params={params} />}
          {list.action}
        </>
      )}
      card={card}
      onOpen={(row) => navigate(to(row))}
      addressOf={to}
      empty={
        isOpen
          ? {
              title: t('work.case.noneOpen', { name }),
              hint: t('work.case.noneOpenHint'),
              action: <Button onClick={() => setView('all')}>{t('work.case.all')}</Button>,
            }
          : { title: t('work.case.none', { name }), hint: list.noneHint, action: list.action }
      }
    />
  );
}

/** What every row has is asked of few lists. */
const isUsual = (name: unknown) => name !== 'createTime';
