/** A process as those who look after processes open it: where it stands, its incidents, what it holds, what can be done. */
import './flow.css';
import '@/workflow/inbox/inbox.css';
import { useQuery } from '@tanstack/react-query';
import { Button, Table } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import type { DocumentAction } from '@/kit/DocumentPage';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { ShownValue } from '@/workflow/forms/ShownValue';
import { inputsOf, schemaOf, textOf } from '@/workflow/forms/schema';
import { OwnDocument } from '@/workflow/own/OwnDocument';
import { useProcessPaths } from '@/workflow/queries';
import { useCorrection } from './CorrectValue';
import { FollowAct } from './FollowAct';
import { isByHand, useByHand } from './useByHand';

type Detail = Wire<'FollowDetail'>;
type Value = Detail['values'][number];

const LIST = '/flow/follow';

export default function FollowedProcess() {
  const { processInstanceId: id = '' } = useParams();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const paths = useProcessPaths();
  const { data } = useQuery({
    queryKey: ['flow.follow', 'detail', id],
    queryFn: ({ signal }) => api.get('/blade-flow/follow/detail', { processInstanceId: id }, signal),
  });
  const [act, setAct] = useState<Detail['followActions'][number]>();
  const correction = useCorrection(id, data?.texts ?? {});
  const byHand = useByHand(id, data?.tokens ?? []);
  const acts: DocumentAction[] = (data?.followActions ?? []).map((kind) => ({
    key: kind,
    label: t(`flow.act.${kind}`),
    kind: kind === 'end' ? 'danger' : kind === 'retry' || kind === 'resume' ? 'main' : undefined,
    onClick: () => (isByHand(kind) ? byHand.open(kind) : setAct(kind)),
  }));
  const isOfRecord = data !== undefined && data.businessTable !== 'process';
  if (data && isOfRecord && !data.isConfidential)
    acts.push({
      key: 'record',
      label: t('flow.followed.record'),
      onClick: () => navigate(paths.detail({ ...data, taskId: '' })),
    });
  return (
    <>
      <OwnDocument
        key={id}
        id={id}
        parent={LIST}
        actions={acts}
        tabs={[
          {
            key: 'values',
            label: t('flow.followed.values'),
            children: data && <Values detail={data} onCorrect={correction.correct} />,
          },
          {
            key: 'incidents',
            label: t('flow.followed.incidents', { n: data?.incidents.length ?? 0 }),
            children: data && <Incidents rows={data.incidents} />,
          },
        ]}
      />
      {data && act && <FollowAct kind={act} row={data} onClose={() => setAct(undefined)} />}
      {correction.dialogs}
      {byHand.dialogs}
    </>
  );
}

function Values({ detail, onCorrect }: { detail: Detail; onCorrect: (row: Value) => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const phone = usePhone();
  if (detail.isConfidential) return <EmptyState title={t('flow.followed.confidential')} />;
  if (detail.values.length === 0) return <EmptyState title={t('work.own.nothing')} />;
  const fieldOf = ({ field }: Value) => inputsOf(schemaOf(field ? { components: [field] } : null))[0];
  return (
    <Table
      size="small"
      rowKey="key"
      pagination={false}
      scroll={phone ? undefined : { x: 480 }}
      dataSource={[...detail.values]}
      columns={[
        {
          title: t('flow.followed.field'),
          render: (_, row) => {
            const field = fieldOf(row);
            return field ? textOf(field, 'label', language) : row.label;
          },
        },
        {
          title: t('flow.followed.value'),
          render: (_, row) => {
            const field = fieldOf(row);
            if (field) return <ShownValue component={field} value={row.value} texts={detail.texts} />;
            return <span className="x-text">{row.text || '-'}</span>;
          },
        },
        // What is done with a value must be in sight.
        ...(phone ? [] : [{ title: t('flow.followed.key'), dataIndex: 'key' }]),
        {
          title: '',
          width: 90,
          render: (_, row) =>
            row.canCorrect && (
              <Button type="link" size="small" onClick={() => onCorrect(row)}>
                {t('flow.correct.act')}
              </Button>
            ),
        },
      ]}
    />
  );
}

function Incidents({ rows }: { rows: Detail['incidents'] }) {
  const { t } = useTranslation();
  const phone = usePhone();
  if (rows.length === 0) return <EmptyState title={t('flow.followed.noIncidents')} />;
  if (phone) {
    return (
      <ul className="x-plain x-results">
        {rows.map(({ time, node, nodeName, text, error, endTime, resolvedBy }) => (
          <li key={`${time} ${node}`}>
            <span className="x-results-title">{nodeName}</span>
            <ToneTag tone={endTime ? 'good' : 'bad'}>
              {t(endTime ? 'flow.followed.over' : 'work.parked')}
            </ToneTag>
            <span className="x-results-meta">{moment(time)}</span>
            <span className="x-results-why">{text}</span>
            {error && <span className="x-results-meta">{error}</span>}
            {endTime && <span className="x-results-meta">{`${resolvedBy} ${moment(endTime)}`}</span>}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table
      size="small"
      rowKey={({ time, node }) => `${time} ${node}`}
      pagination={false}
      scroll={{ x: 640 }}
      dataSource={[...rows]}
      columns={[
        { title: t('flow.followed.since'), width: 150, render: (_, { time }) => moment(time) },
        { title: t('flow.followed.element'), dataIndex: 'nodeName' },
        {
          title: t('flow.cause'),
          render: (_, { text, error }) => (
            <>
              {text}
              {error && <div className="x-quiet">{error}</div>}
            </>
          ),
        },
        {
          title: t('flow.followed.resolved'),
          render: (_, { endTime, resolvedBy }) => (endTime ? `${resolvedBy} ${moment(endTime)}` : '-'),
        },
      ]}
    />
  );
}
