/** Several people do a step, each a task of their own: who, in which order, and what decides. */
import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useNames } from './catalogue';
import { ChoiceEntry, NumberEntry, TextEntry } from './controls';
import { type Edit, useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { type Business, is, textOf } from './model';
import { WhoEntry } from './PeopleRules';
import {
  agreedIn,
  collectionText,
  conditionText,
  type Decision,
  decisionOf,
  foreign,
  isOfPeople,
  LOOP,
  loopOf,
  MODES,
  MOST,
  type Mode,
  outcomeText,
  RESULTS,
  SIGNER,
  SOURCES,
  type Source,
  type SourceKind,
  sourceOf,
  variableOf,
} from './several';
import { WeightEntries } from './WeightEntries';

export function Several({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const loop = loopOf(of);
  const begin = () => {
    const made = edit.make(LOOP, of, { 'xw:collection': '${[starter.id]}', 'xw:elementVariable': SIGNER });
    const written = decided(edit, of, made, {
      mode: 'all',
      percent: 60,
      agreed: agreedIn(of),
      condition: '',
    });
    for (const [name, value] of Object.entries(written)) (made as Settable).set(name, value);
    // Each of them gets a task: that is what it is for, unless somebody is named already.
    const isFree = is(of, 'bpmn:UserTask') && !textOf(of, 'xw:assignee') && !textOf(of, 'xw:candidates');
    edit({
      of,
      set: { loopCharacteristics: made, ...(isFree ? { 'xw:assignee': `\${${SIGNER}}` } : {}) },
    });
  };
  const end = () => {
    const isTheirs = loop && textOf(of, 'xw:assignee') === `\${${variableOf(loop)}}`;
    edit({ of, set: { loopCharacteristics: undefined, ...(isTheirs ? { 'xw:assignee': undefined } : {}) } });
  };
  return (
    <>
      <Checkbox
        className="x-several"
        checked={loop !== undefined}
        disabled={readOnly}
        onChange={(event) => (event.target.checked ? begin() : end())}
      >
        {t('panel.several.on')}
      </Checkbox>
      {loop && <Who of={loop} />}
      {loop && <Decides of={of} loop={loop} />}
      {loop && <Collects of={loop} />}
    </>
  );
}

type Settable = Business & { set: (name: string, value: unknown) => void };

/** Modes of which the order of the people is chosen; of the others it is a part of what they mean. */
const isFree = (mode: Mode) => mode === 'own' || mode === 'everybody';
const hasOrder = (mode: Mode) => mode !== 'all' && mode !== 'inTurn';

/** What a mode writes into the loop. */
function decided(edit: Edit, of: Business, loop: Business, decision: Decision) {
  const { mode, percent, agreed, condition } = decision;
  const text = mode === 'own' ? condition : conditionText(mode, percent, agreed);
  const weights = mode === 'weighted' ? textOf(loop, 'xw:weights') || '*=1' : undefined;
  return {
    isSequential: hasOrder(mode) ? loop.get('isSequential') : mode === 'inTurn',
    completionCondition: text ? edit.make('bpmn:FormalExpression', loop, { body: text }) : undefined,
    ...(isFree(mode) ? {} : { 'xw:outcome': outcomeText(of, decision) || undefined, 'xw:weights': weights }),
  };
}

function Who({ of: loop }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const source = sourceOf(loop);
  const fields = useNames().filter(
    ({ name, type }) => name.startsWith('form.') && (type === 'text' || type === 'list'),
  );
  const set = (next: Source) => {
    const others = [...foreign(loop, 'collection'), ...foreign(loop, 'elementVariable')];
    const number = next.kind === 'number' ? next.value : '';
    const list = collectionText(next);
    edit({
      of: loop,
      set: {
        ...Object.fromEntries(others.map((name) => [name, undefined])),
        'xw:collection': list || undefined,
        'xw:elementVariable': list ? variableOf(loop) || SIGNER : undefined,
        loopDataInputRef: undefined,
        inputDataItem: undefined,
        loopCardinality: number ? edit.make('bpmn:FormalExpression', loop, { body: number }) : undefined,
      },
    });
  };
  const FIRST: Readonly<Record<SourceKind, string>> = {
    field: fields[0]?.name ?? 'form.people',
    role: '',
    post: '',
    dept: '',
    team: '',
    number: '2',
    expression: '${[starter.id]}',
  };
  const [kind, choose] = useKind(source);
  const change = (next: SourceKind) => {
    choose(next);
    if (FIRST[next]) set({ kind: next, value: FIRST[next] });
  };
  const value = kind === source.kind ? source.value : '';
  return (
    <>
      <ChoiceEntry
        label={t('panel.several.who')}
        value={kind}
        options={SOURCES.map((one) => ({ value: one, label: t(`panel.several.source.${one}`) }))}
        commit={(next) => next && change(next as SourceKind)}
      />
      {kind === 'field' && (
        <ChoiceEntry
          label={t('panel.several.field')}
          value={value || undefined}
          options={fields.map(({ name, label }) => ({ value: name, label: label || name, hint: name }))}
          hint={t('panel.several.fieldHint')}
          commit={(name) => name && set({ kind, value: name })}
        />
      )}
      {isOfPeople(kind) && (
        <WhoEntry
          kind={kind}
          value={value}
          mayRead={false}
          commit={(next) => next && set({ kind, value: next })}
        />
      )}
      {kind === 'number' && (
        <NumberEntry
          label={t('panel.several.number')}
          value={Number(value)}
          min={1}
          max={MOST}
          whole
          commit={(next) => next && set({ kind, value: String(next) })}
        />
      )}
      {kind === 'expression' && (
        <TextEntry
          label={t('panel.several.list')}
          value={value}
          code
          hint={t('panel.several.listHint')}
          check={(text) => {
            const fault = faultOf(text.includes('{') ? text : `\${${text}}`);
            return text === ''
              ? t('kit.form.enter', { field: t('panel.several.list') })
              : fault && say(fault);
          }}
          commit={(text) => set({ kind, value: text })}
        />
      )}
      <p className="x-hint">
        {t('panel.several.called', { name: `\${${variableOf(loop) || 'loopCounter'}}`, n: MOST })}
      </p>
    </>
  );
}

const EXAMPLE = "${votes.agree * 2 > nrOfInstances ? 'agree' : 'reject'}";

/** A kind that is chosen counts here until the drawing says it too. */
function useKind(source: Source): readonly [SourceKind, (kind: SourceKind) => void] {
  const at = `${source.kind} ${source.value}`;
  const [chosen, choose] = useState<{ at: string; kind: SourceKind }>();
  return [chosen?.at === at ? chosen.kind : source.kind, (kind) => choose({ at, kind })];
}

function Decides({ of, loop }: GroupProps & { loop: Business }) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const say = useFault();
  const decision = decisionOf(of, loop);
  const { mode, percent, agreed, condition } = decision;
  const set = (next: Partial<Decision>) => {
    const wanted = { ...decision, agreed: agreedIn(of), ...next };
    edit({ of: loop, set: decided(edit, of, loop, wanted) });
  };
  const check = (text: string) => {
    const fault = text ? faultOf(text.includes('{') ? text : `\${${text}}`) : undefined;
    return fault && say(fault);
  };
  // Of a sub-process nobody knows what its steps end with.
  const isStrange = is(of, 'bpmn:UserTask') && !isFree(mode) && mode !== 'any' && agreed !== agreedIn(of);
  const modes: readonly Mode[] = [...MODES, 'everybody', ...(mode === 'own' ? (['own'] as const) : [])];
  return (
    <>
      <ChoiceEntry
        label={t('panel.several.mode')}
        value={mode}
        options={modes.map((one) => ({ value: one, label: t(`panel.several.modes.${one}`) }))}
        hint={t(`panel.several.means.${mode}`, { name: agreed, n: percent })}
        fault={isStrange ? t('panel.several.strange', { name: agreed }) : undefined}
        commit={(next) => next && set({ mode: next as Mode })}
      />
      {(mode === 'ratio' || mode === 'weighted') && (
        <NumberEntry
          label={t('panel.several.percent')}
          value={percent}
          min={1}
          max={100}
          whole
          commit={(next) => next && set({ percent: next })}
        />
      )}
      {mode === 'weighted' && <WeightEntries of={loop} />}
      {hasOrder(mode) && (
        <Checkbox
          checked={loop.get('isSequential') === true}
          disabled={readOnly}
          onChange={(event) => edit({ of: loop, set: { isSequential: event.target.checked } })}
        >
          {t('panel.several.oneByOne')}
        </Checkbox>
      )}
      {isFree(mode) && (
        <>
          <TextEntry
            label={t('panel.several.until')}
            value={condition}
            code
            rows={2}
            hint={t('panel.several.untilHint')}
            check={check}
            commit={(text) => set({ mode: text ? 'own' : 'everybody', condition: text })}
          />
          <TextEntry
            label={t('panel.several.outcome')}
            value={textOf(loop, 'xw:outcome')}
            code
            hint={t('panel.several.outcomeHint', { example: EXAMPLE })}
            check={check}
            commit={(text) => edit({ of: loop, set: { 'xw:outcome': text || undefined } })}
          />
        </>
      )}
    </>
  );
}

/** The list that the results of all are collected in, and what each of them adds. */
function Collects({ of: loop }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const results = textOf(loop, 'xw:results');
  return (
    <>
      <TextEntry
        label={t('panel.several.results')}
        value={results}
        code
        max={60}
        hint={t('panel.several.resultsHint')}
        check={(text) => (text && !RESULTS.test(text) ? t('panel.several.resultsName') : undefined)}
        commit={(text) =>
          edit({
            of: loop,
            set: {
              'xw:results': text || undefined,
              'xw:result': text ? textOf(loop, 'xw:result') || 'outcome' : undefined,
            },
          })
        }
      />
      {results && (
        <TextEntry
          label={t('panel.several.result')}
          value={textOf(loop, 'xw:result')}
          code
          hint={t('panel.several.resultHint')}
          check={(text) => {
            const fault = faultOf(text.includes('{') ? text : `\${${text}}`);
            return text === ''
              ? t('kit.form.enter', { field: t('panel.several.result') })
              : fault && say(fault);
          }}
          commit={(text) => edit({ of: loop, set: { 'xw:result': text } })}
        />
      )}
    </>
  );
}
