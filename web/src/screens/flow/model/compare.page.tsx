/** Any two drawings of a model beside each other; which ones stands in the address. */
import '../flow.css';
import { Select } from 'antd';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '@/i18n';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { moment } from '@/lib/dates';
import { useCan } from '@/session/rights';
import { parseReference, type Reference, referenceText, useDraft, useDrawing, useVersions } from '../queries';

const Compare = lazy(async () => ({ default: (await import('@/workflow/compare/Compare')).Compare }));

interface Choice {
  value: string;
  label: string;
}

/** All drawings of the model that the person may look at: the newest first. */
function useChoices(key: string, draftId: string): Choice[] {
  const { t } = useTranslation();
  const versions = useVersions(useCan('flow_manager_view') ? key : '');
  const draft = useDraft(draftId);
  const saved = draft.data?.history ?? [];
  return [
    ...(draft.data ? [{ value: 'draft', label: t('flow.history.draftNow') }] : []),
    ...(versions.data ?? []).map((row) => ({
      value: referenceText({ kind: 'deployed', id: row.id }),
      label: [
        t(row.tenantId ? 'work.ownModel' : 'work.general'),
        t('work.version', { n: row.version }),
        moment(row.deploymentTime),
      ].join(' · '),
    })),
    ...saved.map((row) => ({
      value: referenceText({ kind: 'draft', id: draftId, version: row.version }),
      label: [t('flow.history.draft', { n: row.version }), row.note || row.userName, moment(row.time)].join(
        ' · ',
      ),
    })),
  ];
}

interface SideProps {
  label: string;
  value: string | null;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}

function Side({ label, value, choices, onChange }: SideProps) {
  return (
    <Select
      className="x-compare-choice"
      aria-label={label}
      prefix={<span className="x-quiet">{label}</span>}
      value={value ?? undefined}
      options={[...choices]}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      onChange={onChange}
    />
  );
}

export default function ComparePage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [key, draftId] = [params.get('key') ?? '', params.get('draft') ?? ''];
  const sides = [params.get('from'), params.get('to')] as const;
  const [from, to] = sides.map((side) => parseReference(side, draftId)) as [Reference?, Reference?];
  const choices = useChoices(key, draftId);
  const [before, after] = [useDrawing(from), useDrawing(to)];
  const put = (name: 'from' | 'to') => (value: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const titleOf = (side: string | null) => choices.find(({ value }) => value === side)?.label ?? side ?? '';
  const error = before.error ?? after.error;
  const isReady = before.data !== undefined && after.data !== undefined;
  const retry = () => {
    before.refetch();
    after.refetch();
  };
  return (
    <section aria-label={t('app.pages.compare')}>
      <div className="x-head">
        <h1>{t('app.pages.compare')}</h1>
        <span className="x-head-count">{key}</span>
      </div>
      <div className="x-compare-choices">
        <Side label={t('flow.from')} value={sides[0]} choices={choices} onChange={put('from')} />
        <Side label={t('flow.to')} value={sides[1]} choices={choices} onChange={put('to')} />
      </div>
      {(!from || !to) && <EmptyState title={t('flow.chooseTwo')} hint={t('flow.chooseTwoHint')} />}
      {from && to && error && !isReady && <ErrorState error={error} retry={retry} />}
      {from && to && !error && !isReady && <PageSkeleton rows={8} />}
      {before.data !== undefined && after.data !== undefined && (
        <Suspense fallback={<PageSkeleton rows={8} />}>
          <Compare
            before={before.data}
            beforeTitle={titleOf(sides[0])}
            after={after.data}
            afterTitle={titleOf(sides[1])}
          />
        </Suspense>
      )}
    </section>
  );
}
