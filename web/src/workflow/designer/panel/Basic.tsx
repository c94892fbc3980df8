/** What an element is called, by what it is known, and what is to be known of it. */
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { TextEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { is, listOf, textOf } from './model';

const ID = /^[^\W\d][\w.-]*$/;
const [LONGEST_ID, LONGEST_KEY] = [80, 60];

interface Moddle {
  ids: { assigned: (id: string) => unknown };
}

export function Basic({ of }: GroupProps) {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  const edit = useEdit();
  const isProcess = is(of, 'bpmn:Process');
  const named = isProcess || is(of, 'bpmn:FlowElement');
  const set = (name: string, value: string) => edit({ of, set: { [name]: value || undefined } });
  const check = (id: string) => {
    const n = isProcess ? LONGEST_KEY : LONGEST_ID;
    if (!ID.test(id) || id.length > n) return t('panel.basic.badId', { count: n });
    const owner = drawing.get<Moddle>('moddle').ids.assigned(id);
    return owner && owner !== of ? t('panel.basic.idTaken') : undefined;
  };
  const [note] = listOf(of, 'documentation');
  const document = (text: string) => {
    if (note) edit({ of: note, set: { text } });
    else edit({ of, set: { documentation: [edit.make('bpmn:Documentation', of, { text })] } });
  };
  return (
    <>
      <TextEntry
        label={t('panel.basic.name')}
        value={textOf(of, 'name')}
        max={80}
        commit={(text) => set('name', text)}
      />
      {named && (
        <TextEntry
          label={t('panel.basic.nameEn')}
          value={textOf(of, 'xw:nameEn')}
          max={120}
          commit={(text) => set('xw:nameEn', text)}
        />
      )}
      <TextEntry
        label={t(isProcess ? 'panel.basic.key' : 'panel.basic.id')}
        value={of.id}
        code
        hint={isProcess ? t('panel.basic.keyHint') : undefined}
        check={check}
        commit={(id) => edit({ of, set: { id } })}
      />
      <TextEntry
        label={t('panel.basic.documentation')}
        value={textOf(note, 'text')}
        rows={2}
        commit={document}
      />
    </>
  );
}
