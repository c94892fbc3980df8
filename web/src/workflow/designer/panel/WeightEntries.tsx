/** What each vote weighs: rows of people with a weight, and that of everybody else. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useBegun } from './begun';
import { NumberEntry, TextEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { textOf } from './model';
import { RuleEditor } from './PeopleRules';
import { MOST_WEIGHT, type Weights, weightsOf, weightsText } from './several';

const KINDS = ['role', 'roleInDept', 'post', 'postInDept', 'dept', 'deptTree', 'team', 'user'] as const;

export function WeightEntries({ of: loop }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const text = textOf(loop, 'xw:weights');
  const commit = (written: string) => edit({ of: loop, set: { 'xw:weights': written || undefined } });
  const [weights, change] = useBegun<Weights>({ text, read: weightsOf, write: weightsText, commit });
  if (!weights) return <TextEntry label={t('panel.several.weights')} value={text} code commit={commit} />;
  const { rules, others } = weights;
  const weightOf = (label: string, value: number, set: (weight: number) => void) => (
    <NumberEntry
      label={label}
      value={value}
      min={1}
      max={MOST_WEIGHT}
      whole
      commit={(next) => next && set(next)}
    />
  );
  return (
    <>
      {rules.map(({ rule, weight }, index) => {
        const put = (next: Partial<Weights['rules'][number]>) =>
          change({
            others,
            rules: rules.map((one, at) => (at === index ? { ...one, ...next } : one)),
          });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id, and two may have the same rule and weight
          <fieldset key={index} className="x-rule">
            <legend className="x-sr">{t('panel.people.rule', { n: index + 1 })}</legend>
            <div>
              <RuleEditor rule={rule} kinds={KINDS} mayRead={false} change={(next) => put({ rule: next })} />
              {weightOf(t('panel.several.weight'), weight, (next) => put({ weight: next }))}
            </div>
            {!readOnly && (
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t('panel.people.removeRule', { n: index + 1 })}
                onClick={() => change({ others, rules: rules.filter((_, at) => at !== index) })}
              />
            )}
          </fieldset>
        );
      })}
      {!readOnly && (
        <Button
          size="small"
          icon={<PlusOutlined />}
          onClick={() =>
            change({ others, rules: [...rules, { rule: { kind: 'role', value: '' }, weight: 2 }] })
          }
        >
          {t('panel.several.addWeight')}
        </Button>
      )}
      {weightOf(t('panel.several.othersWeight'), others, (next) => change({ rules, others: next }))}
    </>
  );
}
