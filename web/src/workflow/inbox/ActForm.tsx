/** What an act on one or more rows asks for, once for all of them. */
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { RemoteSelectField, TextAreaField } from '@/kit/fields';
import { PersonField } from '../HandForm';
import { type QueueRow, TOUCHED } from '../queries';
import { type Act, carryOut, type Given } from './acts';

export function useActName(): (act: Act) => string {
  const { t } = useTranslation();
  return (act) => {
    if (act.kind === 'claim') return t('work.claimIt');
    return act.kind === 'transfer' ? t('work.hand.transfer') : act.outcome.label;
  };
}

interface ActFormProps {
  act: Act;
  rows: readonly QueueRow[];
  /** One row is done already by then; several are begun now. */
  onGiven: (given: Given) => void;
  onClose: () => void;
}

export function ActForm({ act, rows, onGiven, onClose }: ActFormProps) {
  const { t } = useTranslation();
  const name = useActName()(act);
  const [row] = rows;
  const alone = rows.length === 1 ? row : undefined;
  const title = alone
    ? t('work.hand.title', { action: name, name: alone.title })
    : t('work.inbox.many', { action: name, n: rows.length });
  return (
    <FormDrawer<Given, Given>
      size="small"
      title={title}
      note={alone ? undefined : t('work.inbox.manyNote')}
      submitText={name}
      danger={act.kind === 'outcome' && !act.outcome.positive && act.outcome.asks === 'comment'}
      submit={async (given) => {
        if (alone) await carryOut(act, alone, given);
        return given;
      }}
      invalidates={alone ? TOUCHED : undefined}
      onDone={onGiven}
      onConflict={onClose}
      onClose={onClose}
    >
      {act.kind === 'transfer' ? (
        <>
          <PersonField name="userId" label={t('work.hand.receiver')} />
          <TextAreaField name="reason" label={t('work.hand.reason')} max={500} required />
        </>
      ) : (
        <>
          {act.kind === 'outcome' && act.gives === 'repairer' && <RepairerField />}
          <TextAreaField
            name="comment"
            label={t('work.comment')}
            max={500}
            required={act.kind === 'outcome' && act.outcome.asks === 'comment'}
          />
        </>
      )}
    </FormDrawer>
  );
}

/** Whoever repairs, with what they have on their hands; the rows are of different machines. */
function RepairerField() {
  const { t } = useTranslation();
  const load = async (_: string, signal: AbortSignal) => {
    const people = await api.get('/yuzhu-equip/user/machineUsers', undefined, signal);
    return people.map(({ userId, userName, teamName, openOrders }) => ({
      value: userId,
      label: userName,
      hint: [teamName, t('work.inbox.load', { n: openOrders })].filter(Boolean).join(' · '),
    }));
  };
  return (
    <RemoteSelectField
      name="userId"
      label={t('work.inbox.repairer')}
      source={['people', 'repairers']}
      load={load}
      required
    />
  );
}
