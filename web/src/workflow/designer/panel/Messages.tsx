/** Which message an event or a task sends or waits for, and by which key it finds its process. */
import { useTranslation } from '@/i18n';
import { ChoiceEntry, TextEntry } from './controls';
import { Interrupts } from './Deadline';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { definitionsOf, is, listOf, messagesOf, partOf, textOf, triggerOf } from './model';

const MAX_NAME = 100;

export function Messages({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const isTask = is(of, 'bpmn:SendTask', 'bpmn:ReceiveTask');
  const holder = isTask ? of : triggerOf(of, 'bpmn:MessageEventDefinition');
  const definitions = definitionsOf(of);
  if (!holder || !definitions) return null;
  const messages = messagesOf(of);
  const message = partOf(holder, 'messageRef');
  const named = (name: string) => messages.find((one) => (one.name || one.id) === name);
  const check = (name: string) => {
    if (!name) return t('kit.form.enter', { field: t('panel.message.name') });
    return named(name) ? t('panel.message.taken') : undefined;
  };
  const add = (name: string) => {
    const made = edit.make('bpmn:Message', definitions, { name });
    edit(
      { of: definitions, set: { rootElements: [made, ...listOf(definitions, 'rootElements')] } },
      { of: holder, set: { messageRef: made } },
    );
  };
  const checkKey = (text: string) => {
    const fault = faultOf(text);
    return fault && say(fault);
  };
  return (
    <>
      <ChoiceEntry
        label={t('panel.message.label')}
        value={message?.id}
        options={messages.map(({ id, name }) => ({ value: id, label: name || id }))}
        commit={(id) => edit({ of: holder, set: { messageRef: messages.find((one) => one.id === id) } })}
      />
      {message && (
        <TextEntry
          key={message.id}
          label={t('panel.message.name')}
          value={textOf(message, 'name')}
          max={MAX_NAME}
          hint={t('panel.message.nameHint')}
          check={check}
          commit={(name) => edit({ of: message, set: { name } })}
        />
      )}
      <TextEntry
        key={messages.length}
        label={t('panel.message.add')}
        value=""
        max={MAX_NAME}
        check={(name) => (name ? check(name) : undefined)}
        commit={add}
      />
      {!isTask && (
        <TextEntry
          label={t('panel.message.key')}
          value={textOf(holder, 'xw:key')}
          code
          hint={t('panel.message.keyHint')}
          check={checkKey}
          commit={(key) => edit({ of: holder, set: { 'xw:key': key || undefined } })}
        />
      )}
      <Interrupts of={of} label={t('panel.message.interrupts')} />
    </>
  );
}
