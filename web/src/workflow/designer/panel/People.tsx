/** Who gets a step: the person who holds it, who may take it, and what becomes of it. */
import { useTranslation } from '@/i18n';
import { Candidates } from './Candidates';
import { Copies } from './Copies';
import { useCatalogue, useHolding, useKinds, usePicker } from './catalogue';
import { ChoiceEntry, TextEntry } from './controls';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { type Business, textOf, words } from './model';
import { Outcomes } from './Outcomes';
import { PeopleRules } from './PeopleRules';
import { loopOf, variableOf } from './several';

export function People({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const kinds = useKinds();
  // A record's process is drawn in our words alone.
  const catalogue = useCatalogue();
  const foreign = catalogue && !catalogue.businessType ? foreignCandidates(of) : [];
  const set = (name: string, value: string | undefined) => edit({ of, set: { [name]: value || undefined } });
  return (
    <>
      <Assignee of={of} />
      <section aria-label={t('panel.people.candidates')}>
        <h3>{t('panel.people.candidates')}</h3>
        <PeopleRules
          text={textOf(of, 'xw:candidates')}
          kinds={kinds}
          mayRead
          empty={t(foreign.length > 0 ? 'panel.people.foreignOnly' : 'panel.people.nobody')}
          commit={(text) => set('xw:candidates', text)}
        />
        {foreign.length > 0 && (
          <ul className="x-plain">
            {foreign.map(([attribute, names]) => {
              const missing = missingRoles(attribute, names, catalogue?.roles ?? []);
              return (
                <li key={attribute}>
                  {t('panel.people.foreign', { attribute, names })}
                  {missing.length > 0 && (
                    <span className="x-entry-fault">
                      {t('panel.people.noRole', { names: missing.join(t('work.own.gap')) })}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </section>
      <Candidates of={of} />
      <Outcomes of={of} />
      <Copies of={of} />
    </>
  );
}

/** Which of the groups of another engine's file are no roles here; what is computed is not known before. */
function missingRoles(attribute: string, names: string, roles: readonly { value: string }[]): string[] {
  if (!attribute.endsWith('candidateGroups') || names.includes('{')) return [];
  const known = new Set(roles.map(({ value }) => value));
  return words(names).filter((name) => !known.has(name));
}

/** Candidates that a file of another engine names: attribute and value. */
function foreignCandidates(of: Business): [string, string][] {
  return Object.entries(of.$attrs).filter(
    ([name, value]) =>
      /^(flowable|activiti|camunda):candidate(Users|Groups)$/.test(name) && value.trim() !== '',
  );
}

const OWN = 'own expression';

function Assignee({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const known = useHolding('user');
  const picker = usePicker('user');
  const value = textOf(of, 'xw:assignee');
  const loop = loopOf(of);
  const variable = loop && variableOf(loop);
  const signer = variable && { value: `\${${variable}}`, label: t('panel.several.signer'), hint: variable };
  const holding = signer ? [signer, ...known] : known;
  const set = (next: string | undefined) => edit({ of, set: { 'xw:assignee': next || undefined } });
  const isOwn = value.includes('{') && !holding.some((name) => name.value === value);
  const check = (text: string) => {
    const fault = faultOf(text);
    return fault && say(fault);
  };
  return (
    <>
      <ChoiceEntry
        label={t('panel.people.assignee')}
        value={isOwn ? OWN : value || undefined}
        clearable
        options={[...holding, { value: OWN, label: t('panel.kind.expression') }, ...picker.options]}
        loading={picker.loading}
        onSearch={picker.onSearch}
        hint={t('panel.people.assigneeHint')}
        // The text to begin with: whoever started the process.
        commit={(next) => set(next === OWN ? (isOwn ? value : '${starter.id}') : next)}
      />
      {value.includes('{') && (
        <TextEntry
          label={t('panel.people.assigneeExpression')}
          value={value}
          code
          check={check}
          commit={set}
        />
      )}
    </>
  );
}
