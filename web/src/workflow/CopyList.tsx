/** What was sent to me for information: processes to read, nothing to do. */
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import { Parts } from '@/kit/Parts';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { useAction } from '@/kit/useAction';
import { moment } from '@/lib/dates';
import { site } from '@/site';
import { INSTANCE_TONES } from './own/tones';
import { TOUCHED, useProcessPaths } from './queries';

type Row = Wire<'CopyRow'>;

export default function CopyList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const paths = useProcessPaths();
  const categories = useDictionary('flow');
  const read = useAction<readonly Row[] | undefined>({
    run: (rows) =>
      api.post('/blade-flow/work/read-copies', undefined, {
        processInstanceIds: rows?.map(({ processInstanceId }) => processInstanceId).join(',') ?? '',
      }),
    invalidates: TOUCHED,
  });
  const open = (row: Row) => {
    if (row.readTime === '') read.run([row]);
    return navigate(paths.detail({ ...row, taskId: '' }));
  };
  const state = (row: Row) => (
    <ToneTag tone={INSTANCE_TONES[row.status] ?? 'quiet'}>{row.statusName}</ToneTag>
  );
  const from = (row: Row) =>
    row.senderName || t('work.copies.byModel', { step: row.nodeName || row.statusName });
  const columns: Column<Row>[] = [
    {
      key: 'title',
      title: t('work.name'),
      width: 240,
      render: (row) => (
        <>
          {row.title}
          {row.note && <div className="x-quiet">{row.note}</div>}
        </>
      ),
    },
    { key: 'businessNo', title: t('work.number'), width: 145, nowrap: true },
    { key: 'status', title: t('work.copies.status'), width: 110, nowrap: true, render: state },
    { key: 'senderName', title: t('work.copies.from'), width: 140, render: from },
    { key: 'starterName', title: t('work.starter'), width: 100 },
    {
      key: 'createTime',
      title: t('work.copies.time'),
      width: 160,
      nowrap: true,
      render: (row) => moment(row.createTime),
    },
    {
      key: 'readTime',
      title: t('work.copies.read'),
      width: 160,
      nowrap: true,
      render: (row) =>
        row.readTime ? moment(row.readTime) : <ToneTag tone="waiting">{t('work.copies.unread')}</ToneTag>,
    },
    { key: 'processDefinitionName', title: t('work.process'), width: 140, extra: true },
  ];
  return (
    <ResourceList<Row>
      name="work.copy"
      title={t('work.copy')}
      load={(query, signal) => api.list('/blade-flow/work/copy-list', query, signal)}
      columns={columns}
      filters={[
        { kind: 'text', name: 'keyword', label: t('work.keyword') },
        {
          kind: 'select',
          name: 'category',
          label: t('work.category'),
          options: categories.options.map(({ value, label }) => ({ value: `flow_${value}`, label })),
        },
        { kind: 'dates', name: 'createTime', label: t('work.copies.time') },
      ]}
      quick={[{ label: t('work.copies.unread'), filters: { unread: '1' } }]}
      action={
        <Button loading={read.busy} onClick={() => read.run(undefined)}>
          {t('work.copies.readAll')}
        </Button>
      }
      poll={site.countsPoll}
      rowClass={(row) => (row.readTime ? undefined : 'x-unread')}
      card={(row) => ({
        title: row.title,
        state: row.readTime ? state(row) : <ToneTag tone="waiting">{t('work.copies.unread')}</ToneTag>,
        meta: [
          row.note || row.processDefinitionName,
          <Parts key="who" of={[row.businessNo, from(row)]} at={row.createTime} />,
        ],
      })}
      onOpen={open}
      empty={{ title: t('work.empty.copy'), hint: t('work.empty.copyHint') }}
    />
  );
}
