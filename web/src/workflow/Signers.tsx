/** Who signs a step beside its holder: adding signers, seeing what they said, and removing them. */
import { Button } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { RadioField, TextAreaField } from '@/kit/fields';
import { ReferenceField } from '@/kit/nounFields';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';

const PEOPLE = { ref: '/blade-user/select' } as const;

type Task = Wire<'TaskDetail'>;
type Signer = Task['signers'][number];

interface SignersProps {
  task: Task;
  /** Queries that show who has the step. */
  touches: readonly (readonly unknown[])[];
}

interface Added {
  place: Task['signPlaces'][number];
  userIds: string;
  reason: string;
}

export function AddSigners({ task, touches, onClose }: SignersProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const [first = 'before'] = task.signPlaces;
  const places = task.signPlaces.map((place) => ({ value: place, label: t(`work.sign.place.${place}`) }));
  return (
    <FormDrawer<Added>
      size="small"
      title={t('work.hand.title', { action: t('work.sign.add'), name: task.title })}
      note={t('work.sign.note')}
      initial={{ place: first }}
      submit={({ place, userIds, reason }) =>
        api.post('/blade-flow/work/add-signers', {
          taskId: task.taskId,
          place,
          userIds,
          reason: reason.trim(),
        })
      }
      submitText={t('work.sign.add')}
      invalidates={touches}
      onConflict={onClose}
      onClose={onClose}
    >
      <RadioField name="place" label={t('work.sign.where')} options={places} required />
      <ReferenceField name="userIds" label={t('work.sign.who')} source={PEOPLE} multiple required />
      <TextAreaField name="reason" label={t('work.hand.reason')} max={500} required />
    </FormDrawer>
  );
}

interface RemoveProps extends SignersProps {
  signer: Signer;
  onClose: () => void;
}

function RemoveSigner({ task, touches, signer, onClose }: RemoveProps) {
  const { t } = useTranslation();
  return (
    <FormDrawer<{ reason: string }>
      size="small"
      title={t('work.hand.title', { action: t('work.sign.remove'), name: signer.userName })}
      note={t('work.sign.removeNote')}
      submit={({ reason }) =>
        api.post('/blade-flow/work/remove-signer', {
          taskId: task.taskId,
          userId: signer.userId,
          reason: reason.trim(),
        })
      }
      submitText={t('work.sign.remove')}
      danger
      invalidates={touches}
      onConflict={onClose}
      onClose={onClose}
    >
      <TextAreaField name="reason" label={t('work.hand.reason')} max={500} required />
    </FormDrawer>
  );
}

/** The signers of the step, below the words of its task; nothing where there are none. */
export function SignerList({ task, touches }: SignersProps) {
  const { t } = useTranslation();
  const [removed, setRemoved] = useState<Signer>();
  if (task.signers.length === 0) return null;
  return (
    <ul className="x-plain x-signers" aria-label={t('work.sign.all')}>
      {task.signers.map((signer) => (
        <li key={`${signer.userId} ${signer.place} ${signer.endTime}`}>
          <strong>{signer.userName || '-'}</strong>
          <Said signer={signer} />
          {signer.place && (
            <span className="x-hint">
              {t('work.sign.added', {
                place: t(`work.sign.short.${signer.place}`),
                who: signer.addedByName || '-',
              })}
            </span>
          )}
          {signer.comment && <span>{signer.comment}</span>}
          {signer.canRemove && (
            <Button size="small" onClick={() => setRemoved(signer)}>
              {t('work.sign.remove')}
            </Button>
          )}
        </li>
      ))}
      {removed && (
        <RemoveSigner task={task} touches={touches} signer={removed} onClose={() => setRemoved(undefined)} />
      )}
    </ul>
  );
}

/** What the signer has said, or that it is still the signer's turn. */
function Said({ signer }: { signer: Signer }) {
  const { t } = useTranslation();
  if (signer.state !== 'done')
    return (
      <ToneTag tone={signer.state === 'open' ? 'active' : 'quiet'}>
        {t(`work.sign.state.${signer.state}`)}
      </ToneTag>
    );
  return (
    <>
      <ToneTag tone={signer.isNegative ? 'bad' : 'good'}>{signer.outcomeName || '-'}</ToneTag>
      <span className="x-quiet">{moment(signer.endTime)}</span>
    </>
  );
}
