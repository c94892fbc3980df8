/** What a step may end with, each with the way it takes and what its button says. */
import { DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { TFunction } from 'i18next';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { ChoiceEntry, TextEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { type Business, calledIn } from './model';
import { declaredBy, MAX_OUTCOME, MAX_OUTCOMES, type Way, waysBehind } from './outcomes';

const KNOWN = ['agree', 'reject', 'submit'] as const;

/** What the button of an outcome says: the name of its way, else a word that everybody knows. */
export function outcomeLabel(key: string, way: Business | undefined, language: string, t: TFunction): string {
  const named = way && (way.name || way.get('xw:nameEn')) ? calledIn(language, way) : '';
  const known = KNOWN.find((word) => word === key);
  return named || (known ? t(`panel.outcome.${known}`) : key);
}

export function Outcomes({ of }: GroupProps) {
  const { t } = useTranslation();
  const { language, readOnly, select } = useDesigner();
  const edit = useEdit();
  const declared = declaredBy(of);
  const ways = waysBehind(of);
  const wayOf = (key: string): Way | undefined => ways.find(({ outcome }) => outcome === key);
  const set = (keys: readonly string[]) => edit({ of, set: { 'xw:outcomes': keys.join(',') || undefined } });
  const asked = ways.map(({ outcome }) => outcome).filter(Boolean);
  const shown = declared.length > 0 ? declared : asked;
  const offered = [...new Set([...asked, ...KNOWN])].filter((key) => !declared.includes(key));
  const check = (key: string) => {
    if (key === '') return undefined;
    if (key.length > MAX_OUTCOME || key.includes(',')) return t('panel.outcome.bad', { count: MAX_OUTCOME });
    if (declared.includes(key)) return t('panel.outcome.twice');
    return declared.length >= MAX_OUTCOMES ? t('panel.outcome.most', { count: MAX_OUTCOMES }) : undefined;
  };
  return (
    <section className="x-outcomes" aria-label={t('panel.outcome.title')}>
      <h3>{t('panel.outcome.title')}</h3>
      {declared.length === 0 && (
        <p className="x-hint">{t(asked.length > 0 ? 'panel.outcome.fromGateway' : 'panel.outcome.usual')}</p>
      )}
      <ul className="x-plain">
        {shown.map((key) => {
          const way = wayOf(key)?.flow;
          const label = outcomeLabel(key, way, language, t);
          return (
            <li key={key} className="x-outcome">
              <span>
                {label !== key && `${label} `}
                <code>{key}</code>
              </span>
              {way && (
                <Button type="link" size="small" onClick={() => select(way.id)}>
                  {t('panel.outcome.way')}
                </Button>
              )}
              {!readOnly && declared.length > 0 && (
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={t('panel.outcome.remove', { name: key })}
                  onClick={() => set(declared.filter((one) => one !== key))}
                />
              )}
            </li>
          );
        })}
      </ul>
      {!readOnly && (
        <>
          <ChoiceEntry
            // As the field below, nothing chosen again after each that was added.
            key={`choice ${declared.length}`}
            label={t('panel.outcome.add')}
            value={undefined}
            options={offered.map((key) => {
              const label = outcomeLabel(key, wayOf(key)?.flow, language, t);
              return { value: key, label: label === key ? key : `${label} (${key})` };
            })}
            commit={(key) => key && set([...declared, key])}
          />
          <TextEntry
            // Empty again after each that was added.
            key={`own ${declared.length}`}
            label={t('panel.outcome.own')}
            value=""
            code
            check={check}
            commit={(key) => set([...declared, key])}
          />
        </>
      )}
    </section>
  );
}
