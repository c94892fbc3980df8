/** The properties of what is chosen, in groups: what it is, who does it, what it asks, when it is due. */
import './panel.css';
import { Collapse } from 'antd';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { LevelTag } from '../../LevelTag';
import { useDesigner } from '../context';
import { Advanced } from './Advanced';
import { Basic } from './Basic';
import { Call } from './Call';
import { Deadline } from './Deadline';
import { FlowCondition, Ways } from './Decision';
import { Errors } from './Errors';
import { FormGroup } from './FormGroup';
import { FormsOfProcess } from './FormsOfProcess';
import type { GroupProps } from './group';
import { Messages, Signals } from './Messages';
import { type Business, is, nameIn, processOf, triggerOf } from './model';
import { Operation } from './Operation';
import { People } from './People';
import { Script } from './Script';
import { Several } from './Several';
import { Starters } from './Starters';
import { Switches } from './Switches';
import { typeOf } from './types';

const GROUPS = {
  basic: Basic,
  people: People,
  several: Several,
  form: FormGroup,
  forms: FormsOfProcess,
  ways: Ways,
  condition: FlowCondition,
  deadline: Deadline,
  byTime: Deadline,
  operation: Operation,
  script: Script,
  call: Call,
  message: Messages,
  signal: Signals,
  error: Errors,
  start: Starters,
  switches: Switches,
  advanced: Advanced,
} satisfies Record<string, ComponentType<GroupProps>>;
type Group = keyof typeof GROUPS;

/** The groups of an element besides the first and the last, which all have. */
function ofKind(of: Business): Group[] {
  if (is(of, 'bpmn:Process')) return ['start', 'switches', 'forms'];
  if (is(of, 'bpmn:UserTask')) return ['people', 'several', 'form', 'switches'];
  if (is(of, 'bpmn:CallActivity')) return ['call', 'several'];
  if (is(of, 'bpmn:SubProcess')) return ['several'];
  if (is(of, 'bpmn:ServiceTask')) return ['operation'];
  if (is(of, 'bpmn:ScriptTask')) return ['script'];
  if (is(of, 'bpmn:SendTask', 'bpmn:ReceiveTask')) return ['message'];
  if (is(of, 'bpmn:SequenceFlow')) return ['condition'];
  if (is(of, 'bpmn:Gateway')) return ['ways'];
  // The form of the start is the process's own: a sub-process asks nobody.
  if (is(of, 'bpmn:StartEvent')) {
    if (!is(of.$parent, 'bpmn:Process')) return [];
    return triggerOf(of, 'bpmn:TimerEventDefinition') ? ['byTime', 'form'] : [...ofTrigger(of), 'form'];
  }
  return triggerOf(of, 'bpmn:TimerEventDefinition') ? ['deadline'] : ofTrigger(of);
}

function ofTrigger(of: Business): Group[] {
  if (triggerOf(of, 'bpmn:MessageEventDefinition')) return ['message'];
  if (triggerOf(of, 'bpmn:SignalEventDefinition')) return ['signal'];
  return triggerOf(of, 'bpmn:ErrorEventDefinition') ? ['error'] : [];
}

export function Panel() {
  const { t } = useTranslation();
  const { selected, language } = useDesigner();
  const [closed, setClosed] = useState<readonly string[]>(['advanced']);
  const top = useRef<HTMLDivElement>(null);
  const business = selected?.businessObject as Business | undefined;
  const id = business?.id;
  // Another element is read from its beginning.
  useEffect(() => {
    if (id) top.current?.parentElement?.scrollTo({ top: 0 });
  }, [id]);
  if (!business) return <p className="x-props x-hint">{t('designer.panel.none')}</p>;
  // A drawing with pools: what is chosen while nothing is, is the process in the pool.
  const of = is(business, 'bpmn:Collaboration') ? (processOf(business) ?? business) : business;
  const [name, type] = [nameIn(language, of), t(`panel.type.${typeOf(of)}`)];
  const groups: Group[] = ['basic', ...ofKind(of), 'advanced'];
  return (
    <div ref={top} className="x-props">
      <header>
        <h2>{name || type}</h2>
        <span className="x-hint">{name ? type : t('panel.unnamed')}</span>
      </header>
      <Problems of={of} />
      <Collapse
        ghost
        size="small"
        activeKey={groups.filter((group) => !closed.includes(group))}
        onChange={(open) =>
          setClosed((before) => [
            ...before.filter((group) => !groups.includes(group as Group)),
            ...groups.filter((group) => !open.includes(group)),
          ])
        }
        items={groups.map((group) => {
          const Content = GROUPS[group];
          // What is being typed belongs to one element.
          return { key: group, label: t(`panel.group.${group}`), children: <Content key={of.id} of={of} /> };
        })}
      />
    </div>
  );
}

function Problems({ of }: GroupProps) {
  const { t } = useTranslation();
  const { problems = [] } = useDesigner();
  const own = problems.filter(
    ({ element }) => element === of.id || (element === '' && is(of, 'bpmn:Process')),
  );
  if (own.length === 0) return null;
  return (
    <ul className="x-plain x-props-problems" aria-label={t('panel.problems')}>
      {own.map(({ code, level, message }) => (
        <li key={`${code} ${message}`}>
          <LevelTag level={level}>{t(`panel.level.${level}`)}</LevelTag> {message}
        </li>
      ))}
    </ul>
  );
}
