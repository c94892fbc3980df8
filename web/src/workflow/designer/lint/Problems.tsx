/** Everything that is wrong with the drawing, errors before warnings; a row leads to its element and offers what can be mended. */
import { Button, Dropdown } from 'antd';
import { useTranslation } from '@/i18n';
import { EmptyState } from '@/kit/states';
import { LevelTag } from '../../LevelTag';
import { type Problem, useDesigner } from '../context';
import { useCatalogue } from '../panel/catalogue';
import { type Fix, fixesOf } from './fixes';
import { called, sentence } from './words';

const LEVELS = ['error', 'warning'] as const;

export function Problems() {
  const { t } = useTranslation();
  const { problems } = useDesigner();
  if (!problems) return <p className="x-designer-note">{t('designer.problems.looking')}</p>;
  if (problems.length === 0)
    return <EmptyState title={t('designer.problems.none')} hint={t('designer.problems.noneHint')} />;
  return (
    <div className="x-designer-problems">
      {LEVELS.map((level) => {
        const found = problems.filter((problem) => problem.level === level);
        if (found.length === 0) return null;
        return (
          <section key={level}>
            <h3>
              <LevelTag level={level}>{t(`designer.problems.${level}s`, { count: found.length })}</LevelTag>
            </h3>
            <ul>
              {found.map((problem) => (
                <Row key={`${problem.element} ${problem.code} ${problem.messageEn}`} problem={problem} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Row({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const { drawing, language, readOnly, select } = useDesigner();
  const catalogue = useCatalogue();
  const fixes = readOnly ? [] : fixesOf(drawing, problem, catalogue);
  return (
    <li>
      <button type="button" className="x-designer-jump" onClick={() => select(problem.element)}>
        <strong>{called(drawing, problem.element) || t('designer.problems.whole')}</strong>
        <span>{sentence(problem, language)}</span>
      </button>
      <Fixes fixes={fixes} />
    </li>
  );
}

/** Up to two as buttons; where there is much to choose from, as a menu. */
function Fixes({ fixes }: { fixes: readonly Fix[] }) {
  const { t } = useTranslation();
  if (fixes.length > 2) {
    const items = fixes.map(({ title, what, run }) => ({
      key: what ?? title,
      label: what ?? t(title),
      onClick: run,
    }));
    return (
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button size="small">{t('designer.fix.choose')}</Button>
      </Dropdown>
    );
  }
  return fixes.map(({ title, what, run }) => (
    <Button key={what ?? title} size="small" onClick={run}>
      {t(title, { what })}
    </Button>
  ));
}
