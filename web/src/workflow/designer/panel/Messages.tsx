/** Which message or signal an event or a task sends or waits for, by which key it finds its process, and what it carries. */
import { Select } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useNames } from './catalogue';
import { ChoiceEntry, Entry, TextEntry } from './controls';
import { Interrupts } from './Deadline';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import {
  type Business,
  declaredOf,
  definitionsOf,
  is,
  listOf,
  partOf,
  processOf,
  textOf,
  triggerOf,
  words,
} from './model';
import { fieldNames } from './names';

const MAX_NAME = 100;
const SENDING = ['bpmn:SendTask', 'bpmn:IntermediateThrowEvent', 'bpmn:EndEvent'];

export function Messages({ of }: GroupProps) {
  const isTask = is(of, 'bpmn:SendTask', 'bpmn:ReceiveTask');
  const holder = isTask ? of : triggerOf(of, 'bpmn:MessageEventDefinition');
  return holder ? <Named of={of} holder={holder} kind="message" /> : null;
}

export function Signals({ of }: GroupProps) {
  const holder = triggerOf(of, 'bpmn:SignalEventDefinition');
  return holder ? <Named of={of} holder={holder} kind="signal" /> : null;
}

const KINDS = {
  message: { type: 'bpmn:Message', reference: 'messageRef' },
  signal: { type: 'bpmn:Signal', reference: 'signalRef' },
} as const;

interface NamedProps extends GroupProps {
  /** Where the message is named: the task, or the definition of the event. */
  holder: Business;
  kind: keyof typeof KINDS;
}

function Named({ of, holder, kind }: NamedProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const definitions = definitionsOf(of);
  if (!definitions) return null;
  const { type, reference } = KINDS[kind];
  const declared = declaredOf(of, type);
  const chosen = partOf(holder, reference);
  const named = (name: string) => declared.find((one) => (one.name || one.id) === name);
  const check = (name: string) => {
    if (!name) return t('kit.form.enter', { field: t(`panel.${kind}.name`) });
    return named(name) ? t(`panel.${kind}.taken`) : undefined;
  };
  const add = (name: string) => {
    const made = edit.make(type, definitions, { name });
    edit(
      { of: definitions, set: { rootElements: [made, ...listOf(definitions, 'rootElements')] } },
      { of: holder, set: { [reference]: made } },
    );
  };
  // Whatever its key, a message starts a process.
  const isKeyed = kind === 'message' && !is(of, 'bpmn:StartEvent');
  return (
    <>
      <ChoiceEntry
        label={t(`panel.${kind}.label`)}
        value={chosen?.id}
        options={declared.map(({ id, name }) => ({ value: id, label: name || id }))}
        commit={(id) => edit({ of: holder, set: { [reference]: declared.find((one) => one.id === id) } })}
      />
      {chosen && (
        <TextEntry
          key={chosen.id}
          label={t(`panel.${kind}.name`)}
          value={textOf(chosen, 'name')}
          max={MAX_NAME}
          hint={t('panel.message.nameHint')}
          check={check}
          commit={(name) => edit({ of: chosen, set: { name } })}
        />
      )}
      <TextEntry
        key={declared.length}
        label={t(`panel.${kind}.add`)}
        value=""
        max={MAX_NAME}
        check={(name) => (name ? check(name) : undefined)}
        commit={add}
      />
      {isKeyed && <Key holder={holder} />}
      <Carried of={of} holder={holder} />
      {is(of, 'bpmn:BoundaryEvent') && <Interrupts of={of} label={t('panel.message.interrupts')} />}
    </>
  );
}

/** An expression; the names that it may read are put in by choosing them. */
function Key({ holder }: { holder: Business }) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const names = useNames();
  const key = textOf(holder, 'xw:key');
  const set = (text: string) => edit({ of: holder, set: { 'xw:key': text || undefined } });
  const check = (text: string) => {
    const fault = faultOf(text);
    return fault && say(fault);
  };
  const readable = names.filter(({ name }) => /^(?:form|record|starter)\./.test(name));
  return (
    <>
      <TextEntry
        label={t('panel.message.key')}
        value={key}
        code
        hint={t('panel.message.keyHint')}
        check={check}
        commit={set}
      />
      {readable.length > 0 && (
        <ChoiceEntry
          label={t('panel.message.keyName')}
          value={undefined}
          options={readable.map(({ name, label }) => ({ value: `\${${name}}`, label, hint: name }))}
          commit={(name) => name && set(`${key}${name}`)}
        />
      )}
    </>
  );
}

/** The form fields that the message takes along, or sets. */
function Carried({ of, holder }: { of: Business; holder: Business }) {
  const { t } = useTranslation();
  const { readOnly, language } = useDesigner();
  const edit = useEdit();
  const chosen = words(textOf(holder, 'xw:fields'));
  const fields = fieldNames(processOf(of), language);
  if (fields.length === 0 && chosen.length === 0) return null;
  const sends = is(of, ...SENDING);
  return (
    <Entry
      label={t(sends ? 'panel.message.sends' : 'panel.message.sets')}
      hint={t('panel.message.fieldsHint')}
    >
      {(id, described) => (
        <Select<string[]>
          id={id}
          mode="multiple"
          value={chosen}
          disabled={readOnly}
          aria-describedby={described}
          placeholder={t('kit.form.pick')}
          options={fields.map(({ name, label }) => ({ value: name.replace('form.', ''), label }))}
          onChange={(next) => edit({ of: holder, set: { 'xw:fields': next.join(',') || undefined } })}
        />
      )}
    </Entry>
  );
}
