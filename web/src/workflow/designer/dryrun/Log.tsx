/** What happened, in words, with links to the elements; a line leads back to how it stood after it. */
import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useNames } from './names';
import { type Answer, lineOf, type Run, type Step } from './run';

interface LogProps {
  run: Run;
  look: (at: number) => void;
}

export function Log({ run, look }: LogProps) {
  const { t } = useTranslation();
  const steps = run.answers.flatMap(({ steps: all }) => all.slice(-1));
  const section = useRef<HTMLElement>(null);
  // The line that is looked at stays in sight while the list grows.
  useEffect(() => {
    const line = section.current?.querySelectorAll<HTMLElement>(':scope > ol > li')[run.at];
    if (line) section.current?.scrollTo({ top: line.offsetTop - line.offsetHeight });
  }, [run.at]);
  return (
    <section ref={section} className="x-run-log" aria-label={t('dryrun.log')}>
      <h2>{t('dryrun.log')}</h2>
      <ol>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <li key={at} aria-current={at === run.at ? 'step' : undefined}>
            <StepLine
              step={step}
              before={run.answers[at - 1]}
              starter={run.answers[0]?.starter?.name ?? ''}
              look={() => look(at)}
            />
            <Done step={step} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface StepLineProps {
  step: Step;
  /** What was open before it. */
  before: Answer | undefined;
  starter: string;
  look: () => void;
}

function StepLine({ step, before, starter, look }: StepLineProps) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const line = lineOf(step);
  const say = () => {
    if (line.kind === 'start') return t('dryrun.said.start', { name: starter });
    if (line.kind === 'timer') return t('dryrun.said.timer', { name: nameOf(line.node) });
    if (line.kind === 'message') return t('dryrun.said.message', { name: line.name });
    if (line.kind === 'call')
      return t(line.error ? 'dryrun.said.callError' : 'dryrun.said.call', {
        name: nameOf(line.node),
        error: line.error,
      });
    const open = before?.open.find(({ node }) => node === line.node);
    const outcome = open?.outcomes.find(({ key }) => key === line.outcome)?.label ?? line.outcome;
    const who = open?.recipients.people.find(({ id }) => id === line.userId)?.name;
    const said = { name: nameOf(line.node), outcome };
    return who ? t('dryrun.said.doneBy', { ...said, who }) : t('dryrun.said.done', said);
  };
  return (
    <Button type="link" size="small" onClick={look}>
      {say()}
    </Button>
  );
}

function Done({ step }: { step: Step }) {
  const { t } = useTranslation();
  const { select } = useDesigner();
  const nameOf = useNames();
  return (
    <ul className="x-run-list">
      {step.passed.length > 0 && (
        <li>
          {t('dryrun.passed')}
          {step.passed.map((id, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a node may be passed twice
            <Button key={index} type="link" size="small" onClick={() => select(id)}>
              {nameOf(id)}
            </Button>
          ))}
        </li>
      )}
      {step.operations.map(({ node, label, text, parameters }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place: in a loop a node calls more than once
        <li key={`${node} ${index}`} title={text}>
          {t('dryrun.called', { name: label })}
          {parameters.length > 0 && (
            <dl className="x-run-given">
              {parameters.map((given) => (
                <div key={given.name}>
                  <dt>{given.label}</dt>
                  <dd>{given.text}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
      {step.decided.map(({ node, who, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one step may be decided twice, and the log of an act never changes its order
        <li key={`${node} ${index}`}>
          {who
            ? t('dryrun.decidedFor', { name: nameOf(node), who, reason })
            : t('dryrun.decided', { name: nameOf(node), reason })}
        </li>
      ))}
      {step.thrown.map(({ node, name }) => (
        <li key={`${node} ${name}`}>{t('dryrun.thrown', { name })}</li>
      ))}
      {step.standing !== 'running' && <li>{t(`dryrun.standing.${step.standing}`)}</li>}
    </ul>
  );
}
