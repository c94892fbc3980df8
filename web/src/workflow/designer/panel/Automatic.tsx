/** What is done without asking: where nobody is found, where the same person is asked again, where the starter decides. */
import { useTranslation } from '@/i18n';
import { useCatalogue, usePicker } from './catalogue';
import { ChoiceEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { is, textOf } from './model';

const NOBODY = ['head', 'administrators', 'agree', 'refuse'] as const;
const SAME = ['ask', 'previous', 'any'] as const;
const STARTER = ['ask', 'agree', 'head'] as const;

/** The words of a policy, in the order in which they are offered. */
const POLICIES = [
  { name: 'samePerson', among: SAME },
  { name: 'starterIsApprover', among: STARTER },
] as const;

export function Automatic({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const businessName = useCatalogue()?.businessName;
  const isProcess = is(of, 'bpmn:Process');
  const set = (name: string, value: string | undefined) =>
    edit({ of, set: { [`xw:${name}`]: value || undefined } });
  const words: Readonly<Record<string, string>> = {
    'samePerson.previous': t('panel.automatic.samePerson.previous'),
    'samePerson.any': t('panel.automatic.samePerson.any'),
    'starterIsApprover.agree': t('panel.automatic.starterIsApprover.agree'),
    'starterIsApprover.head': t('panel.automatic.starterIsApprover.head'),
  };
  const usual = isProcess ? t('panel.automatic.usual') : t('panel.automatic.asProcess');
  return (
    <>
      <p className="x-hint">
        {isProcess && businessName
          ? t('panel.automatic.addedOnly', { name: businessName })
          : t('panel.automatic.hint')}
      </p>
      <NobodyFound of={of} usual={usual} set={(value) => set('nobodyFound', value)} />
      {POLICIES.map(({ name, among }) => (
        <ChoiceEntry
          key={name}
          label={t(`panel.automatic.${name}.title`)}
          value={textOf(of, `xw:${name}`)}
          options={[
            { value: '', label: usual },
            ...among.map((word) => ({
              value: word,
              label: words[`${name}.${word}`] ?? t('panel.automatic.ask'),
            })),
          ]}
          commit={(value) => set(name, value)}
        />
      ))}
    </>
  );
}

const PERSON = 'user:';

interface NobodyFoundProps extends GroupProps {
  usual: string;
  set: (value: string | undefined) => void;
}

function NobodyFound({ of, usual, set }: NobodyFoundProps) {
  const { t } = useTranslation();
  const people = usePicker('user');
  const value = textOf(of, 'xw:nobodyFound');
  const isPerson = value.startsWith(PERSON);
  // The text to begin with; whom it names is chosen next.
  const starts = `${PERSON}${people.options[0]?.value ?? ''}`;
  return (
    <>
      <ChoiceEntry
        label={t('panel.automatic.nobodyFound.title')}
        value={isPerson ? PERSON : value}
        options={[
          { value: '', label: usual },
          ...NOBODY.map((word) => ({ value: word, label: t(`panel.automatic.nobodyFound.${word}`) })),
          { value: PERSON, label: t('panel.automatic.nobodyFound.person') },
        ]}
        hint={value === 'refuse' ? t('panel.automatic.refuseHint') : undefined}
        commit={(next) => set(next === PERSON ? (isPerson ? value : starts) : next)}
      />
      {isPerson && (
        <ChoiceEntry
          label={t('panel.kind.user')}
          value={value.slice(PERSON.length)}
          options={people.options}
          loading={people.loading}
          onSearch={people.onSearch}
          commit={(next) => set(next && `${PERSON}${next}`)}
        />
      )}
    </>
  );
}
