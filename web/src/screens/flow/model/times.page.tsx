/** Where a model's time goes: how often each step is done, how long it takes, where it waits; of one version or of all. */
import '../flow.css';
import { useQuery } from '@tanstack/react-query';
import { DatePicker, Segmented, Select } from 'antd';
import dayjs from 'dayjs';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '@/api/client';
import { useLanguage, useTranslation } from '@/i18n';
import { type Fact, Facts } from '@/kit/Facts';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { rangesAt } from '@/lib/dates';
import { namesIn } from '@/workflow/names';
import { isTime, MEASURES, type Measure } from '@/workflow/times/heat';
import { followPath, useDrawing, useVersions } from '../queries';
import { useDuration } from './duration';
import { StepTable } from './StepTable';

const HeatDiagram = lazy(() => import('@/workflow/times/HeatDiagram'));

const DAY = 'YYYY-MM-DD';

interface Window {
  key: string;
  processId?: string;
  from?: string;
  to?: string;
}

function useTimes(asked: Window) {
  const { key, ...rest } = asked;
  return useQuery({
    queryKey: ['flow', 'times', asked],
    queryFn: ({ signal }) => api.get('/blade-flow/manager/times', rest.processId ? rest : asked, signal),
    enabled: key !== '',
  });
}

export default function TimesPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const duration = useDuration();
  const [params, setParams] = useSearchParams();
  const asked = (name: string) => params.get(name) || undefined;
  const [key, processId] = [params.get('key') ?? '', asked('processId')];
  const put = (change: Readonly<Record<string, string | undefined>>) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const [measure, setMeasure] = useState<Measure>('count');
  const [chosen, setChosen] = useState<string>();

  const versions = useVersions(key);
  const times = useTimes({ key, processId, from: asked('from'), to: asked('to') });
  const drawn = processId ?? versions.data?.[0]?.id;
  const drawing = useDrawing(drawn ? { kind: 'deployed', id: drawn } : undefined);
  const names = useMemo(() => namesIn(drawing.data ?? '', language), [drawing.data, language]);
  const text = useCallback(
    (value: number) => (isTime(measure) ? duration(value) : t('times.count', { n: value.toLocaleString() })),
    [measure, duration, t],
  );

  const loading = !times.data || !versions.data || (drawn !== undefined && drawing.data === undefined);
  const error = loading ? (times.error ?? versions.error ?? drawing.error) : null;
  const retry = () => {
    for (const query of [times, versions, drawing]) if (query.error) query.refetch();
  };
  const nodes = times.data?.nodes ?? [];
  const whole = times.data?.instances;
  const facts: Fact[] = whole
    ? [
        {
          label: t('times.window'),
          value: `${times.data?.begin.slice(0, 10)} – ${times.data?.end.slice(0, 10)}`,
        },
        { label: t('times.started'), value: whole.started.toLocaleString() },
        { label: t('times.ended'), value: whole.ended.toLocaleString() },
        { label: t('times.runningNow'), value: whole.running.toLocaleString() },
        { label: t('times.whole'), value: duration(whole.medianSeconds) },
      ]
    : [];
  const day = (name: string) => (params.get(name) ? dayjs(params.get(name)) : null);
  return (
    <section aria-label={t('app.pages.times')}>
      <div className="x-head">
        <h1>{t('app.pages.times')}</h1>
        <span className="x-head-count">{versions.data?.[0]?.name ?? key}</span>
      </div>
      <div className="x-times-choices">
        <Select
          aria-label={t('work.versionTitle')}
          value={processId ?? ''}
          options={[
            { value: '', label: t('times.allVersions') },
            ...(versions.data ?? []).map((row) => ({
              value: row.id,
              label: `${t(row.tenantId ? 'work.ownModel' : 'work.general')} · ${t('work.version', { n: row.version })}`,
            })),
          ]}
          popupMatchSelectWidth={false}
          onChange={(id) => put({ processId: id })}
        />
        <DatePicker.RangePicker
          allowEmpty
          placeholder={[t('kit.list.from'), t('kit.list.to')]}
          presets={rangesAt(dayjs()).map(([name, first, last]) => ({
            label: t(`kit.ranges.${name}`),
            value: [first, last],
          }))}
          value={[day('from'), day('to')]}
          onChange={(range) => put({ from: range?.[0]?.format(DAY), to: range?.[1]?.format(DAY) })}
        />
      </div>
      {error && <ErrorState error={error} retry={retry} />}
      {!error && loading && <PageSkeleton rows={8} />}
      {!loading && (
        <>
          <div className="x-panel x-times-facts">
            <Facts items={facts} />
          </div>
          {nodes.length === 0 ? (
            <div className="x-panel">
              <EmptyState title={t('times.none')} hint={t('times.noneHint')} />
            </div>
          ) : (
            <>
              <div className="x-times-choices">
                <Segmented<Measure>
                  aria-label={t('times.measure')}
                  value={measure}
                  options={MEASURES.map((value) => ({ value, label: t(`times.by.${value}`) }))}
                  onChange={setMeasure}
                />
              </div>
              <div className="x-times">
                {drawing.data !== undefined && (
                  <Suspense fallback={<PageSkeleton rows={6} />}>
                    <HeatDiagram
                      xml={drawing.data}
                      nodes={nodes}
                      measure={measure}
                      text={text}
                      chosen={chosen}
                    />
                  </Suspense>
                )}
                <StepTable
                  nodes={nodes}
                  names={names}
                  chosen={chosen}
                  onChoose={setChosen}
                  follow={followPath({ key, processId }, 'overdue')}
                />
              </div>
            </>
          )}
        </>
      )}
    </section>
  );
}
