/** Suspending a version, for new starts only or with what runs on it; and activating it again. */
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { ChoicesField } from '@/kit/choices';
import { FormDrawer } from '@/kit/FormDrawer';
import { CHANGED } from '@/workflow/deploy/changed';
import type { Definition } from './queries';

export const isActive = ({ suspensionState }: Pick<Definition, 'suspensionState'>) => suspensionState === 1;

export function StateForm({ version, onClose }: { version: Definition; onClose: () => void }) {
  const { t } = useTranslation();
  const title = { name: version.name, n: version.version };
  const change = (state: 'active' | 'suspend', withRunning = 0) =>
    api.post('/blade-flow/manager/change-state', undefined, { processId: version.id, state, withRunning });
  if (!isActive(version))
    return (
      <ConfirmDialog
        title={t('flow.state.activateTitle', title)}
        okText={t('flow.act.activate')}
        run={() => change('active')}
        invalidates={CHANGED}
        onClose={onClose}
      >
        {t(version.isHalted ? 'flow.state.activateHalted' : 'flow.state.activateWill')}
      </ConfirmDialog>
    );
  return (
    <FormDrawer<{ withRunning: number }>
      title={t('flow.state.suspendTitle', title)}
      size="small"
      note={t('flow.state.suspendWill')}
      initial={{ withRunning: 0 }}
      submitText={t('flow.act.suspend')}
      danger
      submit={({ withRunning }) => change('suspend', withRunning)}
      invalidates={CHANGED}
      onClose={onClose}
    >
      <ChoicesField
        name="withRunning"
        label={t('flow.state.reach')}
        required
        choices={[
          { value: 0, label: t('flow.state.starts'), hint: t('flow.state.startsHint'), tone: 'waiting' },
          { value: 1, label: t('flow.state.running'), hint: t('flow.state.runningHint'), tone: 'bad' },
        ]}
      />
    </FormDrawer>
  );
}
