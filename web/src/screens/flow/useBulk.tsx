/** The same act on many processes: which act, what is needed for it, and then what would come of each. */
import { useQuery } from '@tanstack/react-query';
import { Button, Dropdown, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { SelectField, TextAreaField } from '@/kit/fields';
import { Modal } from '@/kit/overlays';
import { EmptyState } from '@/kit/states';
import { useRights } from '@/session/rights';
import { PersonField } from '@/workflow/HandForm';
import { type Answer, type Asked, BulkResults, type Chosen, type Given, send } from './BulkResults';
import { type ByHand, isByHand } from './useByHand';

type Row = Wire<'FollowRow'>;
type Act = Asked['act'];

const CODES: Readonly<Record<Act, string>> = {
  retry: 'flow_follow_retry',
  reassign: 'flow_follow_reassign',
  skip: 'flow_follow_move',
  move: 'flow_follow_move',
  suspend: 'flow_follow_suspend',
  resume: 'flow_follow_suspend',
  end: 'flow_follow_delete',
};
/** What needs no reason. */
const PLAIN: ReadonlySet<Act> = new Set<Act>(['retry', 'resume']);
/** What the list is asked beside its filters. */
const NO_FILTERS: ReadonlySet<string> = new Set(['current', 'size', 'ascs', 'descs']);

interface Previewed {
  asked: Asked;
  given: Given;
  answer: Answer;
  what?: string;
}

/** Why nothing can be done with these rows; '' where it can be tried. */
function useHindrance() {
  const { t } = useTranslation();
  return (act: Act, rows: readonly Row[]): string => {
    const same = (one: (row: Row) => string) => new Set(rows.map(one)).size === 1;
    if (act === 'skip') return same((row) => row.processDefinitionKey) ? '' : t('flow.bulk.oneModel');
    if (act === 'move') return same((row) => row.processDefinitionId) ? '' : t('flow.bulk.oneVersion');
    return rows.some(({ followActions }) => followActions.includes(act)) ? '' : t('flow.bulk.nothing');
  };
}

export function useBulk() {
  const { t } = useTranslation();
  const may = useRights();
  const hindrance = useHindrance();
  const acts = (Object.keys(CODES) as Act[]).filter((act) => may(CODES[act]));
  const [asked, setAsked] = useState<Asked>();
  const [preview, setPreview] = useState<Previewed>();

  const buttons = (rows: readonly Row[]): ReactNode =>
    acts.map((act) => {
      const why = hindrance(act, rows);
      const chosen = { ids: rows.map(({ id }) => id).join(',') };
      return (
        <Tooltip key={act} title={why}>
          <Button danger={act === 'end'} disabled={why !== ''} onClick={() => setAsked({ act, chosen })}>
            {t(`flow.act.${act}`)}
          </Button>
        </Tooltip>
      );
    });
  /** For all that the filters of the list find, of this page and of the others. */
  const menu = (params: Readonly<Record<string, unknown>>): ReactNode => {
    const chosen: Chosen = Object.fromEntries(
      Object.entries(params).flatMap(([name, value]) =>
        value === undefined || value === '' || NO_FILTERS.has(name) ? [] : [[name, String(value)]],
      ),
    );
    if (acts.length === 0 || Object.keys(chosen).length === 0) return null;
    const why = (act: Act) => {
      const version = 'processDefinitionId' in chosen;
      if (act === 'skip' && !version && !('processDefinitionKey' in chosen))
        return t('flow.bulk.filterModel');
      return act === 'move' && !version ? t('flow.bulk.filterVersion') : '';
    };
    return (
      <Dropdown
        trigger={['click']}
        menu={{
          items: acts.map((act) => ({
            key: act,
            label: why(act) ? (
              <>
                {t(`flow.act.${act}`)} <small>{why(act)}</small>
              </>
            ) : (
              t(`flow.act.${act}`)
            ),
            disabled: why(act) !== '',
            danger: act === 'end',
            onClick: () => setAsked({ act, chosen }),
          })),
        }}
      >
        <Button>{t('flow.bulk.filtered')}</Button>
      </Dropdown>
    );
  };
  const close = () => setAsked(undefined);
  const dialogs = (
    <>
      {asked &&
        (isByHand(asked.act) ? (
          <HandForm act={asked.act} chosen={asked.chosen} onDone={setPreview} onClose={close} />
        ) : (
          <ActForm asked={asked} onDone={setPreview} onClose={close} />
        ))}
      {preview && <BulkResults {...preview} onClose={() => setPreview(undefined)} />}
    </>
  );
  return { acts, buttons, menu, dialogs };
}

interface FormProps {
  onDone: (previewed: Previewed) => void;
  onClose: () => void;
}

function ActForm({ asked, onDone, onClose }: FormProps & { asked: Asked }) {
  const { t } = useTranslation();
  // Of each process only the tasks at the step by which it was found.
  const { node } = asked.chosen;
  return (
    <FormDrawer<Given, Previewed>
      title={t('flow.bulk.title', { act: t(`flow.act.${asked.act}`) })}
      size="small"
      note={t('flow.bulk.note')}
      submitText={t('flow.bulk.preview')}
      submit={async (values) => {
        const given = node && asked.act === 'reassign' ? { ...values, node } : values;
        return { asked, given, answer: await send(asked, given, true) };
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {asked.act === 'reassign' && <PersonField name="userId" label={t('work.hand.receiver')} />}
      {!PLAIN.has(asked.act) && (
        <TextAreaField name="reason" label={t('work.hand.reason')} required max={200} />
      )}
    </FormDrawer>
  );
}

/** What a skip and a move ask beside the reason: which step with which result, or from where to where. */
function HandForm({ act, chosen, onDone, onClose }: FormProps & { act: ByHand; chosen: Chosen }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['flow.follow', 'ways', chosen],
    queryFn: () => api.post('/blade-flow/follow/bulk-ways', chosen),
    gcTime: 0,
  });
  const title = t('flow.bulk.title', { act: t(`flow.act.${act}`) });
  const ways = data ? (act === 'skip' ? data.skips : data.targets) : [];
  if (data && ways.length === 0) {
    const isMixed = data.models > 1 || (act === 'move' && data.versions > 1);
    const hint = act === 'skip' ? t('flow.bulk.oneModel') : t('flow.bulk.oneVersion');
    return (
      <Modal
        open
        centered
        width={440}
        title={title}
        footer={<Button onClick={onClose}>{t('kit.close')}</Button>}
        onCancel={onClose}
      >
        <EmptyState
          title={isMixed ? hint : t(`flow.bulk.no.${act}`)}
          hint={isMixed ? '' : t('flow.bulk.ofRecord')}
        />
      </Modal>
    );
  }
  const said = ({ name, toName }: Wire<'BulkWay'>) =>
    [name, toName].filter(Boolean).join(act === 'skip' ? ' · ' : ' → ');
  return (
    <FormDrawer<{ way: string; reason: string }, Previewed>
      title={title}
      size="small"
      note={t(`flow.${act}.will`)}
      loading={!data && !error}
      loadError={error}
      retry={refetch}
      submitText={t('flow.bulk.preview')}
      initial={ways.length === 1 ? { way: '0' } : {}}
      submit={async ({ way: place, reason }) => {
        const way = ways[Number(place)] as Wire<'BulkWay'>;
        const { node, to } = way;
        const asked = { act, chosen };
        const given = { reason, node, ...(act === 'skip' ? { outcome: to } : { to }) };
        const what = t(`flow.${act}.what`, { way: said(way) });
        return { asked, given, what, answer: await send(asked, given, true) };
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <SelectField
        name="way"
        label={t(`flow.${act}.way`)}
        options={ways.map((way, place) => ({
          value: String(place),
          label: t('flow.bulk.way', { way: said(way), n: way.count }),
        }))}
        required
      />
      <TextAreaField name="reason" label={t('work.hand.reason')} required max={200} />
    </FormDrawer>
  );
}
