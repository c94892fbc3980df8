/** The differences in words: what became of which element, and each property as it was and as it is. */
import { useTranslation } from '@/i18n';
import type { Change, Difference } from './diff';
import { SIGNS } from './marks';
import type { Words } from './words';

function Values({ change, words }: { change: Change; words: Words }) {
  const { t } = useTranslation();
  const [old, now] = [words.value(change.old), words.value(change.now)];
  return (
    <dd>
      {old ? <del>{old}</del> : <span className="x-quiet">{t('compare.none')}</span>}
      <span aria-hidden> → </span>
      {now ? <ins>{now}</ins> : <span className="x-quiet">{t('compare.none')}</span>}
    </dd>
  );
}

interface DifferenceListProps {
  differences: readonly Difference[];
  words: Words;
  chosen: number;
  onChoose: (index: number) => void;
}

export function DifferenceList({ differences, words, chosen, onChoose }: DifferenceListProps) {
  const { t } = useTranslation();
  return (
    <ol className="x-compare-list">
      {differences.map((difference, index) => {
        const { kind, part, changes, moved } = difference;
        return (
          <li key={`${kind} ${part.id}`} aria-current={index === chosen || undefined}>
            <button type="button" onClick={() => onChoose(index)}>
              <span className={`x-compare-sign x-compare-sign-${kind}`} aria-hidden>
                {SIGNS[kind]}
              </span>
              <span className="x-compare-kind">{t(`compare.kind.${kind}`)}</span>
              <strong>{words.name(part.id)}</strong>
              <span className="x-quiet">{words.type(part.type)}</span>
              {kind === 'changed' && moved && <span className="x-quiet">{t('compare.alsoMoved')}</span>}
            </button>
            {changes.length > 0 && (
              <dl>
                {changes.map((change) => (
                  <div key={change.path.map(({ key, name }) => `${key} ${name}`).join('/')}>
                    <dt>{words.property(change)}</dt>
                    <Values change={change} words={words} />
                  </div>
                ))}
              </dl>
            )}
          </li>
        );
      })}
    </ol>
  );
}
