/** Exports of many rows: how far each is, its file, and what can be done with it. */
import { App, Progress } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { useAction } from '@/kit/useAction';
import { save } from '@/lib/save';
import { sizeText } from '@/lib/size';
import { useRights } from '@/session/rights';
import { useSession } from '@/session/session';

type Row = Wire<'SheetJob'>;

const NAME = 'sheetjob';
const POLL_SECONDS = 5;
const [WAITING, RUNNING, DONE, FAILED, CANCELLED] = [1, 2, 3, 4, 5] as const;
const TONES: Readonly<Record<number, Tone>> = {
  [WAITING]: 'waiting',
  [RUNNING]: 'active',
  [DONE]: 'good',
  [FAILED]: 'bad',
  [CANCELLED]: 'off',
};
const WORDS = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
const isOpen = (row: Row) => row.state === WAITING || row.state === RUNNING;

function State({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (row.isStopping && isOpen(row)) return <ToneTag tone="waiting">{t('log.sheet.stopping')}</ToneTag>;
  return <ToneTag tone={TONES[row.state] ?? 'quiet'}>{row.stateName}</ToneTag>;
}

/** The share of the rows that are done, in numbers too; the reason of what has failed. */
function Share({ row }: { row: Row }) {
  if (row.state === FAILED) return row.reason;
  const total = row.total ?? 0;
  const share = row.state === DONE ? 1 : total > 0 ? row.done / total : 0;
  return (
    <Progress
      size="small"
      percent={Math.floor(share * 100)}
      status={row.state === RUNNING ? 'active' : 'normal'}
      format={() => `${row.done.toLocaleString()} / ${row.total === null ? '–' : total.toLocaleString()}`}
      percentPosition={{ align: 'end', type: 'outer' }}
    />
  );
}

export default function Exports() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const seesAll = useRights()('sheetjob_all');
  const me = useSession()?.userId;
  const [asked, setAsked] = useState<{ what: 'cancel' | 'remove'; row: Row }>();
  const fail = (error: unknown) =>
    message.error(error instanceof Error ? error.message : t('kit.error.unknown'));
  const again = useAction<Row>({
    run: async ({ call, query }) => {
      try {
        await api.post('/blade-desk/sheetjob/export', { call, query });
        message.success(t('log.sheet.begun'));
      } catch (error) {
        fail(error);
      }
    },
    invalidates: [[NAME]],
  });
  const download = async (id: string) => {
    try {
      save(await api.download('/blade-desk/sheetjob/download', { id }));
    } catch (error) {
      fail(error);
    }
  };
  const fileOf = (row: Row) => row.fileName && `${row.fileName} (${sizeText(row.fileSize)})`;
  const columns: Column<Row>[] = [
    { key: 'title', title: t('log.sheet.rows'), width: 140 },
    {
      key: 'state',
      title: t('log.sheet.state'),
      width: 110,
      nowrap: true,
      render: (row) => <State row={row} />,
    },
    { key: 'done', title: t('log.sheet.progress'), width: 220, render: (row) => <Share row={row} /> },
    ...(seesAll ? [{ key: 'userName' as const, title: t('log.sheet.person'), width: 100 }] : []),
    { key: 'createTime', title: t('log.sheet.asked'), width: 160, nowrap: true },
    { key: 'fileName', title: t('log.sheet.file'), width: 240, render: fileOf },
  ];
  const filters: Filter[] = [
    {
      kind: 'select',
      name: 'state',
      label: t('log.sheet.state'),
      options: WORDS.map((word, index) => ({
        value: String(index + 1),
        label: t(`log.sheet.states.${word}`),
      })),
    },
    ...(seesAll ? [{ kind: 'flag' as const, name: 'mine', label: t('log.sheet.mine') }] : []),
  ];
  const actions = (row: Row): RowAction[] => {
    const isMine = row.userId === me;
    if (isOpen(row)) {
      if (row.isStopping) return [];
      const onClick = () => setAsked({ what: 'cancel', row });
      return [{ key: 'cancel', label: t('log.sheet.cancel'), danger: true, onClick }];
    }
    return [
      ...(isMine && row.fileName
        ? [{ key: 'download', label: t('log.sheet.download'), onClick: () => void download(row.id) }]
        : []),
      ...(isMine && row.state !== DONE
        ? [{ key: 'again', label: t('log.sheet.again'), onClick: () => again.run(row) }]
        : []),
      {
        key: 'remove',
        label: t('log.sheet.remove'),
        danger: true,
        onClick: () => setAsked({ what: 'remove', row }),
      },
    ];
  };

  return (
    <>
      <ResourceList<Row>
        name={NAME}
        title={t('log.sheet.title')}
        load={(query, signal) => api.list('/blade-desk/sheetjob/list', query, signal)}
        columns={columns}
        filters={filters}
        views={false}
        poll={POLL_SECONDS}
        card={(row) => ({
          title: row.title,
          state: <State row={row} />,
          meta: [<Share key="share" row={row} />, [row.createTime, fileOf(row)].filter(Boolean).join(' · ')],
        })}
        rowActions={actions}
      />
      {asked && (
        <ConfirmDialog
          title={t(`log.sheet.${asked.what}`)}
          okText={t(`log.sheet.${asked.what}`)}
          danger
          run={() =>
            asked.what === 'cancel'
              ? api.post('/blade-desk/sheetjob/cancel', undefined, { id: asked.row.id })
              : api.post('/blade-desk/sheetjob/remove', undefined, { ids: asked.row.id })
          }
          invalidates={[[NAME]]}
          onClose={() => setAsked(undefined)}
        >
          {t(`log.sheet.${asked.what}Text`, { name: asked.row.title })}
        </ConfirmDialog>
      )}
    </>
  );
}
