/** What the gate says of a drawing: errors first, each with the element it is about. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { LevelTag } from '../LevelTag';

type Problem = Wire<'ProblemRow'>;

export const errorsOf = (problems: readonly Problem[]) => problems.filter(({ level }) => level === 'error');
export const warningsOf = (problems: readonly Problem[]) =>
  problems.filter(({ level }) => level === 'warning');

interface ProblemsProps {
  problems: readonly Problem[];
  /** Names of elements by id. */
  names: ReadonlyMap<string, string>;
}

export function Problems({ problems, names }: ProblemsProps) {
  const { t } = useTranslation();
  return (
    <ul className="x-problems">
      {[...errorsOf(problems), ...warningsOf(problems)].map(({ element, code, level, message }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one element may have the same problem twice
        <li key={`${element} ${code} ${index}`}>
          <LevelTag level={level}>{t(`flow.problem.${level}`)}</LevelTag>
          <span>
            {element && <strong>{names.get(element) ?? element}</strong>} {message}
          </span>
        </li>
      ))}
    </ul>
  );
}
