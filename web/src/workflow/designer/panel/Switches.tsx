/** What people may do with a process beside completing its steps: switched off where the model says no. */
import { Checkbox } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useCatalogue } from './catalogue';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { is, processOf, textOf } from './model';

const OFF = 'no';
const OF_STEPS = ['sendBack', 'takeBack'] as const;
const OF_PROCESSES = [...OF_STEPS, 'withdraw'] as const;
type Switch = (typeof OF_PROCESSES)[number];

export function Switches({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const catalogue = useCatalogue();
  const isProcess = is(of, 'bpmn:Process');
  const whole = isProcess ? undefined : processOf(of);
  // Whoever may withdraw a record is said by the record's own command.
  const ofProcess = catalogue?.businessType ? OF_STEPS : OF_PROCESSES;
  const shown: readonly (readonly [Switch, string])[] = isProcess
    ? ofProcess.map((name) => [name, t(`panel.switches.process.${name}`)])
    : OF_STEPS.map((name) => [name, t(`panel.switches.step.${name}`)]);
  return shown.map(([name, label]) => {
    const attribute = `xw:${name}`;
    const isOffAbove = textOf(whole, attribute) === OFF;
    return (
      <div key={name} className="x-entry">
        <Checkbox
          checked={!isOffAbove && textOf(of, attribute) !== OFF}
          disabled={readOnly || isOffAbove}
          onChange={({ target }) => edit({ of, set: { [attribute]: target.checked ? undefined : OFF } })}
        >
          {label}
        </Checkbox>
        <div className="x-hint">
          {t(isOffAbove ? 'panel.switches.offAbove' : `panel.switches.hint.${name}`)}
        </div>
      </div>
    );
  });
}
