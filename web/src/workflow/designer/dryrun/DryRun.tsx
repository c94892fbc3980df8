/** Trying a drawing on the real engine, without any effect: the token simulation of the designer. */
import './dryrun.css';
import {
  CaretRightOutlined,
  PauseOutlined,
  ReloadOutlined,
  StepBackwardOutlined,
  StepForwardOutlined,
} from '@ant-design/icons';
import { Alert, Button, Tooltip } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '@/i18n';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { Tried } from '../../forms/TriedFiles';
import { processOf } from '../canvas/drawing';
import { useDesigner } from '../context';
import { Begin, Refused } from './Begin';
import { Log } from './Log';
import { useNames } from './names';
import { recordNames } from './RecordFields';
import { fieldsShown, shownOf } from './run';
import { useMarks } from './useMarks';
import { type Running, useCatalogue, useEntry, useRun } from './useRun';
import { ValuesNow } from './ValuesNow';
import { Waiting } from './Waiting';

/** Nothing that is entered in it is kept by the server. */
export function DryRun() {
  return (
    <Tried value={true}>
      <Trial />
    </Tried>
  );
}

function Trial() {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  const running = useRun();
  const { run } = running;
  const entry = useEntry();
  const catalogue = useCatalogue(String(processOf(drawing)?.id ?? ''));
  useMarks(run && shownOf(run).steps);
  const parts = useRef<HTMLDivElement>(null);
  const place = run && `${run.at}/${run.answers.length}`;
  // What waits now is read from its beginning.
  useEffect(() => {
    if (place) parts.current?.scrollTo({ top: 0 });
  }, [place]);

  const failed = entry.error ?? catalogue.error;
  if (failed && !(entry.data && catalogue.data))
    return <ErrorState error={failed} retry={() => Promise.all([entry.refetch(), catalogue.refetch()])} />;
  if (!entry.data || !catalogue.data) return <PageSkeleton rows={3} />;
  const names = catalogue.data.businessType ? recordNames(catalogue.data.readable) : [];
  const { xml, answer } = entry.data;
  if (!run) {
    if (answer.problems.length > 0) return <Refused problems={answer.problems} />;
    return <Begin key={xml} xml={xml} entry={answer} names={names} begin={running.begin} />;
  }
  const shown = shownOf(run);
  return (
    <div className="x-run">
      <Bar running={running} />
      {running.outdated && <Alert type="warning" showIcon banner title={t('dryrun.outdated')} />}
      <div ref={parts} className="x-run-parts">
        <Waiting key={place} answer={shown} names={names} act={running.act} />
        <Log run={run} look={running.look} />
        <ValuesNow answer={shown} fields={fieldsShown(run)} names={names} />
      </div>
    </div>
  );
}

/** Back, on, again, and the replay; says where the run stands. */
function Bar({ running: { run, playing, look, play, stop, end } }: { running: Running }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  if (!run) return null;
  const { at, answers } = run;
  const { open, standing } = shownOf(run);
  const waits = [...new Set(open.map(({ node }) => nameOf(node)))].join(t('work.own.gap'));
  return (
    <div className="x-run-bar" role="toolbar" aria-label={t('dryrun.label')}>
      <Tool label={t('dryrun.restart')} icon={<ReloadOutlined />} onClick={end} />
      <Tool
        label={t('dryrun.back')}
        icon={<StepBackwardOutlined />}
        disabled={at === 0}
        onClick={() => look(at - 1)}
      />
      {playing ? (
        <Tool label={t('dryrun.stop')} icon={<PauseOutlined />} onClick={stop} />
      ) : (
        <Tool label={t('dryrun.play')} icon={<CaretRightOutlined />} onClick={play} />
      )}
      <Tool
        label={t('dryrun.forward')}
        icon={<StepForwardOutlined />}
        disabled={at === answers.length - 1}
        onClick={() => look(at + 1)}
      />
      <p aria-live="polite">
        {t('dryrun.at', { at: at + 1, of: answers.length })}
        {': '}
        {standing === 'running'
          ? t('dryrun.waitsFor', { names: waits || '-' })
          : t(`dryrun.standing.${standing}`)}
      </p>
    </div>
  );
}

interface ToolProps {
  label: string;
  icon: ReactNode;
  disabled?: boolean;
  onClick: () => void;
}

function Tool({ label, icon, disabled, onClick }: ToolProps) {
  return (
    <Tooltip title={label}>
      <Button size="small" icon={icon} aria-label={label} disabled={disabled} onClick={onClick} />
    </Tooltip>
  );
}
