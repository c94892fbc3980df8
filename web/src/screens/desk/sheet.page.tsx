/** Exports and imports of many rows: how far each is, its file, and what can be done with it. */
import { App } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { SheetProgress } from '@/kit/SheetProgress';
import { ToneTag } from '@/kit/StateTag';
import {
  CANCELLED,
  DONE,
  EXPORT,
  FAILED,
  IMPORT,
  isOpen,
  RUNNING,
  SHEET_JOBS,
  type SheetJob,
  saveSheet,
  WAITING,
} from '@/kit/sheetJobs';
import type { Tone } from '@/kit/tones';
import { useAction } from '@/kit/useAction';
import { sizeText } from '@/lib/size';
import { useRights } from '@/session/rights';
import { useSession } from '@/session/session';

const POLL_SECONDS = 5;
const TONES: Readonly<Record<number, Tone>> = {
  [WAITING]: 'waiting',
  [RUNNING]: 'active',
  [DONE]: 'good',
  [FAILED]: 'bad',
  [CANCELLED]: 'off',
};
const WORDS = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
const KINDS = ['export', 'import'] as const;
const kindOf = (row: SheetJob) => KINDS[row.kind - EXPORT] ?? 'export';

function State({ row }: { row: SheetJob }) {
  const { t } = useTranslation();
  if (row.isStopping && isOpen(row)) return <ToneTag tone="waiting">{t('log.sheet.stopping')}</ToneTag>;
  return <ToneTag tone={TONES[row.state] ?? 'quiet'}>{row.stateName}</ToneTag>;
}

export default function Sheets() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const seesAll = useRights()('sheetjob_all');
  const me = useSession()?.userId;
  const [asked, setAsked] = useState<{ what: 'cancel' | 'remove'; row: SheetJob }>();
  const fail = (error: unknown) =>
    message.error(error instanceof Error ? error.message : t('kit.error.unknown'));
  const again = useAction<SheetJob>({
    run: async ({ call, query }) => {
      try {
        await api.post('/blade-desk/sheetjob/export', { call, query });
        message.success(t('log.sheet.begun'));
      } catch (error) {
        fail(error);
      }
    },
    invalidates: [[SHEET_JOBS]],
  });
  const download = async (id: string) => {
    try {
      await saveSheet(id);
    } catch (error) {
      fail(error);
    }
  };
  const wordOf = ({ what, row }: { what: 'cancel' | 'remove'; row: SheetJob }) =>
    what === 'cancel' ? t(`log.sheet.cancel.${kindOf(row)}`) : t('log.sheet.remove');
  const fileOf = (row: SheetJob) => row.fileName && `${row.fileName} (${sizeText(row.fileSize)})`;
  const columns: Column<SheetJob>[] = [
    { key: 'title', title: t('log.sheet.rows'), width: 140 },
    { key: 'kindName', title: t('log.sheet.kind'), width: 80, nowrap: true },
    {
      key: 'state',
      title: t('log.sheet.state'),
      width: 110,
      nowrap: true,
      render: (row) => <State row={row} />,
    },
    { key: 'done', title: t('log.sheet.progress'), width: 320, render: (row) => <SheetProgress job={row} /> },
    ...(seesAll ? [{ key: 'userName' as const, title: t('log.sheet.person'), width: 100 }] : []),
    { key: 'createTime', title: t('log.sheet.asked'), width: 160, nowrap: true },
    { key: 'fileName', title: t('log.sheet.file'), width: 240, render: fileOf },
  ];
  const filters: Filter[] = [
    {
      kind: 'select',
      name: 'kind',
      label: t('log.sheet.kind'),
      options: KINDS.map((word, index) => ({
        value: String(index + EXPORT),
        label: t(`log.sheet.kinds.${word}`),
      })),
    },
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
  const actions = (row: SheetJob): RowAction[] => {
    const isMine = row.userId === me;
    if (isOpen(row)) {
      if (row.isStopping) return [];
      const onClick = () => setAsked({ what: 'cancel', row });
      return [{ key: 'cancel', label: wordOf({ what: 'cancel', row }), danger: true, onClick }];
    }
    return [
      ...(isMine && row.fileName
        ? [
            {
              key: 'download',
              label: t(row.kind === IMPORT ? 'kit.sheet.downloadWrong' : 'log.sheet.download'),
              onClick: () => void download(row.id),
            },
          ]
        : []),
      ...(isMine && row.kind === EXPORT && row.state !== DONE
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
      <ResourceList<SheetJob>
        name={SHEET_JOBS}
        title={t('log.sheet.title')}
        load={(query, signal) => api.list('/blade-desk/sheetjob/list', query, signal)}
        columns={columns}
        filters={filters}
        views={false}
        poll={POLL_SECONDS}
        card={(row) => ({
          title: row.title,
          state: <State row={row} />,
          meta: [
            <SheetProgress key="share" job={row} />,
            [row.kindName, row.createTime, fileOf(row)].filter(Boolean).join(' · '),
          ],
        })}
        rowActions={actions}
      />
      {asked && (
        <ConfirmDialog
          title={wordOf(asked)}
          okText={wordOf(asked)}
          danger
          run={() =>
            asked.what === 'cancel'
              ? api.post('/blade-desk/sheetjob/cancel', undefined, { id: asked.row.id })
              : api.post('/blade-desk/sheetjob/remove', undefined, { ids: asked.row.id })
          }
          invalidates={[[SHEET_JOBS]]}
          onClose={() => setAsked(undefined)}
        >
          {t(`log.sheet.${asked.what}Text.${kindOf(asked.row)}`, { name: asked.row.title })}
        </ConfirmDialog>
      )}
    </>
  );
}
