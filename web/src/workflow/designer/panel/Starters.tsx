/** Who may start a process, and what its instances are called. */
import { useTranslation } from '@/i18n';
import { Copies } from './Copies';
import { useCatalogue } from './catalogue';
import { TextEntry } from './controls';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { textOf } from './model';
import { PeopleRules } from './PeopleRules';

export function Starters({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const catalogue = useCatalogue();
  const check = (text: string) => {
    const fault = faultOf(text);
    return fault && say(fault);
  };
  // A record's process is started by the record's own command, which has its own right.
  if (catalogue?.businessType)
    return (
      <>
        <p>{t('panel.start.bound', { name: catalogue.businessName })}</p>
        <Copies of={of} />
      </>
    );
  return (
    <>
      <section aria-label={t('panel.start.who')}>
        <h3>{t('panel.start.who')}</h3>
        <PeopleRules
          text={textOf(of, 'xw:starters')}
          kinds={['role', 'user']}
          mayRead={false}
          empty={t('panel.start.everybody')}
          commit={(text) => edit({ of, set: { 'xw:starters': text || undefined } })}
        />
      </section>
      <TextEntry
        label={t('panel.start.title')}
        value={textOf(of, 'xw:title')}
        hint={t('panel.start.titleHint')}
        check={check}
        commit={(text) => edit({ of, set: { 'xw:title': text || undefined } })}
      />
      <Copies of={of} />
    </>
  );
}
