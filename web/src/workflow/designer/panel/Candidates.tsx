/** Who would get a step if somebody started the process now: asked of the server, in its words. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { xmlOf } from '../canvas/drawing';
import { useDesigner } from '../context';
import { usePicker } from './catalogue';
import { ChoiceEntry } from './controls';
import type { GroupProps } from './group';

const SHOWN = 10;

export function Candidates({ of }: GroupProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  return (
    <section aria-label={t('panel.who.title')}>
      <h3>{t('panel.who.title')}</h3>
      {asked ? <Asked of={of} /> : <Button onClick={() => setAsked(true)}>{t('panel.who.ask')}</Button>}
    </section>
  );
}

function Asked({ of }: GroupProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { drawing, changes } = useDesigner();
  const [starterId, setStarter] = useState<string>();
  const people = usePicker('user');
  const { data, error } = useQuery({
    queryKey: ['flow', 'candidates', of.id, starterId, changes, language],
    queryFn: async () =>
      api.post('/blade-flow/model/candidates', {
        xml: await xmlOf(drawing),
        element: of.id,
        starterId,
      }),
    placeholderData: (previous) => previous,
    gcTime: 0,
  });
  return (
    <>
      <ChoiceEntry
        label={t('panel.who.starter')}
        value={starterId}
        clearable
        options={people.options}
        loading={people.loading}
        onSearch={people.onSearch}
        hint={t('panel.who.starterHint')}
        commit={setStarter}
      />
      {error ? <ErrorLine error={error} /> : null}
      {data && <Answer data={data} />}
    </>
  );
}

function Answer({ data }: { data: Wire<'Candidates'> }) {
  const { t } = useTranslation();
  const { people, total, rules, reason, problem } = data;
  if (problem) return <p className="x-entry-fault">{problem}</p>;
  return (
    <div className="x-who" aria-live="polite">
      <p>{reason}</p>
      <ul className="x-plain">
        {people.slice(0, SHOWN).map(({ id, name, deptName, weight }) => (
          <li key={id}>
            {name} <span className="x-hint">{deptName}</span>
            {weight !== null && ` · ${t('panel.who.weight', { n: weight })}`}
          </li>
        ))}
      </ul>
      {total > SHOWN && <p className="x-hint">{t('panel.who.total', { count: total })}</p>}
      {rules.length > 0 && (
        <ul className="x-plain x-hint">
          {rules.map(({ rule, text, total: found }) => (
            <li key={rule}>{t('panel.who.rule', { text, count: found })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
