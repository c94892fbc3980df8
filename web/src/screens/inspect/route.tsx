/** The page of an inspection route: its points in order with what is checked at each, put into order by drag or keys, and printed. */
import { HolderOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { readRow } from '@/api/nounCalls';
import { inspectgroup } from '@/api/nouns/inspectgroup';
import { inspectpoint } from '@/api/nouns/inspectpoint';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type DocumentAction, DocumentPage } from '@/kit/DocumentPage';
import { Facts } from '@/kit/Facts';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState, ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useNoun } from '@/kit/useNoun';
import { moved, useSorting } from '@/kit/useSorting';
import { exact } from '@/lib/money';
import { ItemList } from '@/screens/shared/standards/ItemView';
import { useCan } from '@/session/rights';
import { toPointForm, toPointWire, usePointForm } from './pointForm';
import { CopyRoute, useRouteForm } from './routeForm';
import '@/screens/shared/standards/standards.css';

type Point = Wire<'PointLine'>;
type PointRow = RowOf<typeof inspectpoint>;

const LIST = '/inspect/group';
/** An order that is changed by keys is sent when nobody has pressed one for so long. */
const PAUSE = 600;

export default function RoutePage() {
  const { id = '' } = useParams();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const {
    data: route,
    error,
    refetch,
  } = useQuery({
    queryKey: [inspectgroup.name, 'detail', id],
    queryFn: ({ signal }) => readRow(inspectgroup, { id }, signal),
  });
  const form = useRouteForm();
  const [copies, setCopies] = useState(false);
  const routes = useNoun({ noun: inspectgroup, name: 'groupName', form, touches: [[inspectpoint.name]] });
  const actions: DocumentAction[] = route
    ? [
        { key: 'print', label: t('inspect.route.print'), onClick: () => window.print() },
        ...(routes.can('add')
          ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopies(true) }]
          : []),
        ...(routes.can('submit')
          ? [
              {
                key: 'edit',
                label: t('kit.edit'),
                kind: 'main' as const,
                onClick: () => routes.openForm(route),
              },
            ]
          : []),
      ]
    : [];
  return (
    <DocumentPage
      loading={!route}
      error={route ? undefined : error}
      retry={refetch}
      parent={LIST}
      number={route?.groupCode ?? ''}
      title={route?.groupName ?? ''}
      state={route?.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
      facts={
        route
          ? [
              { label: routes.label('groupType'), value: route.groupTypeName },
              { label: routes.label('deptId'), value: route.deptName },
              { label: routes.label('leaderId'), value: route.leaderName },
              { label: routes.label('userIds'), value: route.userNames },
              { label: routes.label('orderMode'), value: route.orderModeName },
              { label: routes.label('estMinutes'), value: route.estMinutes },
              { label: routes.label('pointCount'), value: route.pointCount },
              { label: routes.label('itemCount'), value: route.itemCount },
              ...(route.remark ? [{ label: routes.label('remark'), value: route.remark, full: true }] : []),
            ]
          : []
      }
      actions={actions}
    >
      {route && (
        <div className="x-no-print">
          <Rates id={id} />
        </div>
      )}
      {route && <Points id={id} />}
      {routes.dialogs}
      {copies && route && (
        <CopyRoute
          id={id}
          name={route.groupName}
          points={route.pointCount}
          onDone={(made) => navigate(`${LIST}/${made}`)}
          onClose={() => setCopies(false)}
        />
      )}
    </DocumentPage>
  );
}

const RATES = ['onTimeRate', 'missedRate', 'pointRate', 'abnormalRate', 'warningRate', 'closeRate'] as const;

/** What became of the tasks of the last 30 days, and what was found. */
function Rates({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['inspectorder', 'rates', id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectgroup/getRates', { groupId: id }, signal),
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton rows={2} />;
  const said = ({ percent, part, whole }: Wire<'RateShown'>) =>
    percent === null ? '-' : t('inspect.rates.of', { percent: exact(percent, 1), part, whole });
  return (
    <Section title={t('inspect.rates.title', { from: data.startDate, to: data.endDate })}>
      <Facts
        items={[
          { label: t('inspect.rates.due'), value: data.due },
          { label: t('inspect.rates.done'), value: data.done },
          { label: t('inspect.rates.onTime'), value: data.onTime },
          { label: t('inspect.rates.missed'), value: data.missed },
          { label: t('inspect.rates.exempt'), value: data.exempt },
          { label: t('inspect.rates.completionRate'), value: said(data.completionRate) },
          ...RATES.map((name) => ({ label: t(`inspect.rates.${name}`), value: said(data[name]) })),
        ]}
      />
    </Section>
  );
}

function usePoints(id: string) {
  return useQuery({
    queryKey: [inspectpoint.name, 'route', id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectpoint/getList', { groupId: id }, signal),
  });
}

function Points({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = usePoints(id);
  const form = usePointForm(id);
  const points = useNoun({
    noun: inspectpoint,
    name: 'pointName',
    form,
    width: 880,
    initial: { groupId: id },
    toForm: toPointForm,
    toWire: toPointWire,
    touches: [[inspectgroup.name]],
    removeHint: t('inspect.point.removeHint'),
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <Section
      title={t('inspect.route.inOrder', { count: data.length })}
      action={<span className="x-no-print">{points.addButton}</span>}
    >
      {data.length === 0 ? (
        <EmptyState title={t('inspect.route.noPoints')} hint={t('inspect.route.noPointsHint')} />
      ) : (
        <PointRows id={id} points={data} rowActions={points.rowActions} />
      )}
      {points.dialogs}
    </Section>
  );
}

interface RowsProps {
  id: string;
  points: readonly Point[];
  rowActions: ReturnType<typeof useNoun<typeof inspectpoint>>['rowActions'];
}

function PointRows({ id, points, rowActions }: RowsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const sorts = useCan('inspectpoint_edit') && points.length > 1;
  const [order, setOrder] = useState<readonly Point[]>(points);
  const [said, setSaid] = useState('');
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(order);
  latest.current = order;
  useEffect(() => setOrder(points), [points]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const action = useAction<readonly Point[]>({
    run: async (rows) => {
      await api.post('/yuzhu-equip/inspectpoint/sort', {
        groupId: id,
        ids: rows.map((row) => row.id).join(','),
      });
      client.setQueryData([inspectpoint.name, 'route', id], rows);
    },
    invalidates: [[inspectpoint.name]],
  });
  const sorting = useSorting({
    onMove: (from, to) => {
      action.reset();
      setOrder((rows) => moved(rows, from, to));
      setSaid(t('inspect.item.movedTo', { name: order[from]?.pointName ?? '', n: to + 1 }));
    },
    onDrop: () => {
      clearTimeout(waiting.current);
      waiting.current = setTimeout(() => {
        if (latest.current.some((row, place) => row.id !== points[place]?.id)) action.run(latest.current);
      }, PAUSE);
    },
  });
  return (
    <>
      {Boolean(action.error) && <ErrorLine error={action.error} />}
      <ol className="x-points" ref={sorting.list}>
        {order.map((point, place) => (
          <li key={point.id} className={sorting.dragged === place ? 'x-point x-item-dragged' : 'x-point'}>
            <div className="x-point-head">
              {sorts && (
                <Button
                  type="text"
                  className="x-item-handle"
                  icon={<HolderOutlined />}
                  aria-label={t('inspect.item.handle', { name: point.pointName })}
                  title={t('inspect.item.handleHint')}
                  {...sorting.handle(place)}
                />
              )}
              <div className="x-point-name">
                <strong>
                  {place + 1}. {point.pointName}
                </strong>{' '}
                {point.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
                <div className="x-quiet">
                  {[
                    point.pointCode,
                    `${point.machineName} ${point.machineCode}`,
                    point.location,
                    point.scanModeName,
                    point.photoRequired === 1 && t('inspect.point.photo'),
                    point.stopCheck === 0 && t('inspect.point.alsoStopped'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </div>
              <span className="x-row-actions">
                {rowActions(point as unknown as PointRow).map(({ key, label, danger, onClick }) => (
                  <Button key={key} type="link" danger={danger} onClick={onClick}>
                    {label}
                  </Button>
                ))}
              </span>
            </div>
            <div className="x-point-items">
              <ItemList items={point.items} />
            </div>
          </li>
        ))}
      </ol>
      <div role="status" className="x-sr">
        {said}
      </div>
    </>
  );
}
