/** The same act on many processes: what is needed for it, what would come of each, and what came of each. */
import { Button, Dropdown, Modal, Table } from 'antd';
import { type ReactNode, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useRights } from '@/session/rights';
import { PersonField } from '@/workflow/HandForm';
import { TOUCHES } from './followState';
import type { ByHand } from './useByHand';

/** A skip and a move ask for an element of one model; they are done on the page of a process. */
type Act = Exclude<Wire<'FollowRow'>['followActions'][number], ByHand>;
type Answer = Wire<'BulkAnswer'>;

const CODES: Readonly<Record<Act, string>> = {
  retry: 'flow_follow_retry',
  reassign: 'flow_follow_reassign',
  suspend: 'flow_follow_suspend',
  resume: 'flow_follow_suspend',
  end: 'flow_follow_delete',
};
/** What needs no reason. */
const PLAIN: ReadonlySet<Act> = new Set<Act>(['retry', 'resume']);
/** What the list is asked beside its filters. */
const NO_FILTERS: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs']);

/** Which processes: those with these ids, or those that the filters find. */
type Chosen = Readonly<Record<string, string>>;
interface Given {
  userId?: string;
  reason?: string;
}
interface Asked {
  act: Act;
  chosen: Chosen;
}

const send = (asked: Asked, given: Given, isPreview: boolean) =>
  api.post('/blade-flow/follow/bulk', { act: asked.act, ...asked.chosen, ...given, isPreview });

export function useBulk() {
  const { t } = useTranslation();
  const may = useRights();
  const acts = (Object.keys(CODES) as Act[]).filter((act) => may(CODES[act]));
  const [asked, setAsked] = useState<Asked>();
  const [preview, setPreview] = useState<{ asked: Asked; given: Given; answer: Answer }>();

  const label = (act: Act) => t(`flow.act.${act}`);
  const buttons = (chosen: Chosen, disabled: boolean): ReactNode =>
    acts.map((act) => (
      <Button key={act} danger={act === 'end'} disabled={disabled} onClick={() => setAsked({ act, chosen })}>
        {label(act)}
      </Button>
    ));
  /** For all that the filters of the list find, of this page and of the others. */
  const menu = (params: Readonly<Record<string, unknown>>): ReactNode => {
    const chosen = Object.fromEntries(
      Object.entries(params).flatMap(([name, value]) =>
        value === undefined || value === '' || NO_FILTERS.has(name) ? [] : [[name, String(value)]],
      ),
    );
    if (acts.length === 0 || Object.keys(chosen).length === 0) return null;
    return (
      <Dropdown
        trigger={['click']}
        menu={{
          items: acts.map((act) => ({
            key: act,
            label: label(act),
            danger: act === 'end',
            onClick: () => setAsked({ act, chosen }),
          })),
        }}
      >
        <Button>{t('flow.bulk.filtered')}</Button>
      </Dropdown>
    );
  };
  const dialogs = (
    <>
      {asked && (
        <FormDrawer<Given, { given: Given; answer: Answer }>
          title={t('flow.bulk.title', { act: label(asked.act) })}
          size="small"
          note={t('flow.bulk.note')}
          submitText={t('flow.bulk.preview')}
          submit={async (given) => ({ given, answer: await send(asked, given, true) })}
          onDone={(found) => setPreview({ asked, ...found })}
          onClose={() => setAsked(undefined)}
        >
          {asked.act === 'reassign' && <PersonField name="userId" label={t('work.hand.receiver')} />}
          {!PLAIN.has(asked.act) && (
            <TextAreaField name="reason" label={t('work.hand.reason')} required max={200} />
          )}
        </FormDrawer>
      )}
      {preview && (
        <Results
          {...preview}
          title={t('flow.bulk.title', { act: label(preview.asked.act) })}
          onClose={() => setPreview(undefined)}
        />
      )}
    </>
  );
  return { acts, buttons, menu, dialogs };
}

interface ResultsProps {
  asked: Asked;
  given: Given;
  /** Of the preview. */
  answer: Answer;
  title: string;
  onClose: () => void;
}

/** What would come of each; after the act, what came of each. */
function Results({ asked, given, answer, title, onClose }: ResultsProps) {
  const { t } = useTranslation();
  const [done, setDone] = useState<Answer>();
  // Exactly those that were previewed.
  const ids = answer.records.map(({ processInstanceId }) => processInstanceId).join(',');
  const act = useAction({
    run: () => send({ act: asked.act, chosen: { ids } }, given, false),
    invalidates: TOUCHES,
    onDone: setDone,
  });
  const { records, left, ...counts } = done ?? answer;
  const say = done ? 'done' : 'will';
  return (
    <Modal
      open
      centered
      width={720}
      title={title}
      okText={done ? t('kit.close') : t('flow.bulk.run', { n: answer.done })}
      okButtonProps={{ danger: asked.act === 'end' && !done, disabled: !done && answer.done === 0 }}
      cancelText={t('kit.cancel')}
      cancelButtonProps={done ? { style: { display: 'none' } } : undefined}
      confirmLoading={act.busy}
      onOk={() => (done ? onClose() : act.run())}
      onCancel={onClose}
    >
      <p>
        {t(`flow.bulk.${say}`, { done: counts.done, refused: counts.refused })}
        {left > 0 && t('flow.bulk.left', { left })}
      </p>
      <ErrorLine error={act.error} />
      <Table
        size="small"
        rowKey="processInstanceId"
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 480 }}
        dataSource={[...records]}
        columns={[
          { title: t('work.number'), dataIndex: 'businessNo' },
          { title: t('work.name'), dataIndex: 'title' },
          {
            title: t('flow.bulk.result'),
            dataIndex: 'message',
            render: (message: string) => message || t(`flow.bulk.row.${say}`),
          },
        ]}
      />
    </Modal>
  );
}
