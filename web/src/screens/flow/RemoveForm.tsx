/** Deleting a draft or deployed versions: what there is of each, what runs on them, and what becomes of that. */
import { App, Form } from 'antd';
import { ApiError, api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { SwitchField, TextAreaField } from '@/kit/fields';
import { CHANGED } from '@/workflow/deploy/changed';
import { useOwns, useVersions, type Version } from './queries';

interface Values {
  draft?: number;
  versions?: number;
  deleteReason?: string;
}

interface ChoiceProps {
  /** The draft's version. */
  draft?: number;
  /** Deployed versions, and what runs on them. */
  count: number;
  running: number;
  /** One thing alone is not asked for. */
  both: boolean;
}

function Choice({ draft, count, running, both }: ChoiceProps) {
  const { t } = useTranslation();
  const chosen = Form.useWatch<number>('versions') === 1;
  const ends = running > 0 && (!both || chosen);
  return (
    <>
      {both && <SwitchField name="draft" label={t('flow.remove.draft', { n: draft })} />}
      {both && <SwitchField name="versions" label={t('flow.remove.versions', { n: count, running })} />}
      {!both && count > 0 && <p>{t('flow.remove.versions', { n: count, running })}</p>}
      {ends && (
        <TextAreaField
          name="deleteReason"
          label={t('flow.remove.reason')}
          hint={t('flow.remove.reasonHint', { count: running })}
          required
          max={200}
        />
      )}
    </>
  );
}

interface RemoveFormProps {
  title: string;
  /** The model's key. */
  model: string;
  draft?: { id: string; version: number };
  /** One version alone; otherwise all that are the person's to delete, when `versions` is set. */
  only?: string;
  versions: boolean;
  onClose: () => void;
}

export function RemoveForm({ title, model, draft, only, versions, onClose }: RemoveFormProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const owns = useOwns();
  const { data, error, refetch } = useVersions(versions ? model : '');
  const mine: readonly Version[] = (data ?? []).filter((row) => (only ? row.id === only : owns(row)));
  const running = mine.reduce((sum, row) => sum + row.running, 0);
  const both = draft !== undefined && mine.length > 0;

  const submit = async (values: Values) => {
    const doomed = both ? values : { ...values, draft: 1, versions: 1 };
    if (!doomed.draft && !doomed.versions) throw new ApiError(0, t('flow.remove.nothing'));
    // What may be refused comes first.
    let ending = 0;
    if (doomed.versions && mine.length > 0) {
      const removed = await api.post('/blade-flow/manager/delete-deployment', undefined, {
        deploymentIds: mine.map((row) => row.id),
        cascade: running > 0 ? 1 : 0,
        deleteReason: values.deleteReason?.trim(),
      });
      ending = removed.ending;
    }
    if (doomed.draft && draft) await api.post('/blade-flow/model/remove', undefined, { ids: draft.id });
    return ending;
  };
  const tell = (ending: number) =>
    ending > 0 ? message.info(t('flow.remove.ending', { count: ending })) : message.success(t('kit.deleted'));

  return (
    <FormDrawer<Values, number>
      title={title}
      size="small"
      loading={versions && !data}
      loadError={data ? undefined : error}
      retry={refetch}
      note={mine.length > 0 ? t('flow.remove.will') : t('flow.remove.draftWill')}
      initial={{ draft: 1, versions: 0, deleteReason: '' }}
      submitText={t('kit.delete')}
      danger
      submit={submit}
      invalidates={CHANGED}
      onDone={(ending) => void tell(ending)}
      onClose={onClose}
    >
      <Choice draft={draft?.version} count={mine.length} running={running} both={both} />
    </FormDrawer>
  );
}
