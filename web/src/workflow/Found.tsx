/** What was found in a file before it is taken, each at the element where it was found. */
import type { ParseKeys } from 'i18next';
import { useMemo } from 'react';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { partsIn } from './names';

type Problem = Wire<'FileReport'>['problems'][number];

/** What would have to be fixed before a deployment, and what would not. */
export function FoundProblems({ xml, problems }: { xml: string; problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const parts = useMemo(() => partsIn(xml, language), [xml, language]);
  const line = (problem: Problem) => {
    const part = parts.get(problem.element);
    const type = part && t(`compare.element.${part.type}` as ParseKeys, { defaultValue: '' });
    const said = language === 'en-US' ? problem.messageEn : problem.messageZh;
    if (!problem.element) return said;
    const name = part?.name || problem.element;
    return t('designer.import.line', { name: type ? t('designer.import.part', { type, name }) : name, said });
  };
  const lost = problems.filter(({ level }) => level === 'error').map(line);
  const notes = problems.filter(({ level }) => level !== 'error').map(line);
  return (
    <>
      <Found title={t('designer.import.lost', { count: lost.length })} lines={lost} />
      <Found title={t('designer.import.notes', { count: notes.length })} lines={notes} />
    </>
  );
}

export function Found({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
