/** Who gets a copy: of a step, when it is done; of the process, when it has ended. */
import { useTranslation } from '@/i18n';
import { useKinds } from './catalogue';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { is, textOf } from './model';
import { PeopleRules } from './PeopleRules';

export function Copies({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const kinds = useKinds();
  const title = t(is(of, 'bpmn:Process') ? 'panel.copies.atEnd' : 'panel.copies.afterStep');
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <PeopleRules
        text={textOf(of, 'xw:copies')}
        kinds={kinds}
        mayRead
        empty={t('panel.copies.nobody')}
        commit={(text) => edit({ of, set: { 'xw:copies': text || undefined } })}
      />
    </section>
  );
}
