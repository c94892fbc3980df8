/** When the operating status of an asset changed, from which day on, by whom and why. */
import { Link } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Section } from '@/kit/Section';
import { StateTag } from '@/kit/StateTag';
import { LIST } from '@/screens/shared/orders';
import { useRights } from '@/session/rights';

type Change = Wire<'StateChange'>;

function Status({ value, text }: { value: number; text: string }) {
  return <StateTag dict="machine_run_state" value={value} text={text} />;
}

export function MachineStates({
  changes,
  seesRepairs,
}: {
  changes: readonly Change[];
  seesRepairs: boolean;
}) {
  const { t } = useTranslation();
  const seesStoppages = useRights()('inspectrestlog_view');
  if (changes.length === 0) return null;
  return (
    <Section title={t('machines.state.history')}>
      <ul className="x-plain">
        {changes.map((change) => (
          <li key={change.id} className="x-line">
            <div>
              <span className="x-marks">
                <Status value={change.stateBefore} text={change.stateBeforeName} />
                <span aria-hidden>→</span>
                <Status value={change.stateAfter} text={change.stateAfterName} />
              </span>
              <div className="x-quiet">
                {[change.userName, change.reason].filter(Boolean).join(' · ')}
                {change.sourceType === 'inspectrestlog' && seesStoppages && (
                  <>
                    {' · '}
                    <Link to={`/equip/stoppage?show=${change.sourceId}`}>
                      {t('machines.state.byStoppage')}
                    </Link>
                  </>
                )}
                {change.sourceType === 'repairorder' && seesRepairs && (
                  <>
                    {' · '}
                    <Link to={`${LIST}/${change.sourceId}`}>{t('machines.state.byOrder')}</Link>
                  </>
                )}
              </div>
            </div>
            <span className="x-line-end x-nowrap">{change.changeDate}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
