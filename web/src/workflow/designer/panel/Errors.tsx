/** Which error of a task an error boundary event catches: one of the operation's own codes, another one, or all. */
import { useTranslation } from '@/i18n';
import { useCatalogue } from './catalogue';
import { ChoiceEntry, TextEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { declaredOf, definitionsOf, listOf, partOf, textOf, triggerOf } from './model';
import { codesOf } from './results';

const CODE = /^[\w.-]{1,40}$/;

export function Errors({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const operations = useCatalogue()?.operations;
  const holder = triggerOf(of, 'bpmn:ErrorEventDefinition');
  const definitions = definitionsOf(of);
  if (!holder || !definitions) return null;
  const declared = declaredOf(of, 'bpmn:Error');
  const chosen = partOf(holder, 'errorRef');
  const code = chosen && (textOf(chosen, 'errorCode') || chosen.id);
  const own = codesOf(partOf(of, 'attachedToRef'), operations ?? []);
  const known = declared.map((one) => textOf(one, 'errorCode') || one.id);
  const others = known.filter((one) => !own.some(({ value }) => value === one));
  const set = (next: string | undefined) => {
    const found = declared.find((one) => (textOf(one, 'errorCode') || one.id) === next);
    if (!next || found) {
      edit({ of: holder, set: { errorRef: found } });
      return;
    }
    const made = edit.make('bpmn:Error', definitions, { errorCode: next, name: next });
    edit(
      { of: definitions, set: { rootElements: [made, ...listOf(definitions, 'rootElements')] } },
      { of: holder, set: { errorRef: made } },
    );
  };
  return (
    <>
      <ChoiceEntry
        label={t('panel.error.code')}
        value={code || undefined}
        options={[...own, ...others.map((value) => ({ value, label: value }))]}
        clearable
        hint={t(code ? 'panel.error.one' : 'panel.error.all')}
        commit={set}
      />
      <TextEntry
        key={known.length}
        label={t('panel.error.add')}
        value=""
        code
        max={40}
        check={(text) => (text && !CODE.test(text) ? t('panel.error.bad') : undefined)}
        commit={set}
      />
    </>
  );
}
