/** Where a process decides: the ways out of a gateway in the order in which they are asked, and a way's condition. */
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Button, Radio } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { ConditionBuilder } from './ConditionBuilder';
import { useNames } from './catalogue';
import { type Conditions, conditionsOf, type Row } from './conditions';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { type Business, conditionOf, is, listOf, nameIn, partOf, waysOf } from './model';
import { type Name, withSizes } from './names';
import { outcomeLabel } from './Outcomes';
import { outcomesBefore } from './outcomes';
import { useCalled } from './types';

const CHOICES = ['bpmn:ExclusiveGateway', 'bpmn:InclusiveGateway'] as const;

/** A condition in words, as far as it can be shown as rows; else its text. */
function useWords(names: readonly Name[]): (text: string) => string {
  const { t } = useTranslation();
  const ofRow = ({ name, comparison, value }: Row) => {
    const known = names.find((one) => one.name === name);
    const word = (one: unknown) =>
      typeof one === 'boolean'
        ? t(one ? 'kit.yes' : 'kit.no')
        : (known?.options?.find((option) => String(option.value) === String(one))?.label ?? String(one));
    const said = value === undefined ? '' : [value].flat().map(word).join(t('work.own.gap'));
    return [known?.label ?? name, t(`panel.comparison.${comparison}`), said].filter(Boolean).join(' ');
  };
  const join = (parts: string[], how: Conditions['join']) => parts.join(` ${t(`panel.condition.${how}`)} `);
  return (text) => {
    const found = conditionsOf(text);
    if (!found) return text;
    const parts = found.items.map((item) =>
      item.kind === 'row' ? ofRow(item) : `(${join(item.rows.map(ofRow), item.join)})`,
    );
    return join(parts, found.join);
  };
}

/** The names of conditions; of the outcome those that the steps before the gateway end with. */
function useNamesAt(gateway: Business): readonly Name[] {
  const { t } = useTranslation();
  const { language } = useDesigner();
  const options = outcomesBefore(gateway).map((key) => ({
    value: key,
    label: outcomeLabel(key, undefined, language, t),
  }));
  const outcome: Name = {
    name: 'outcome',
    label: t('panel.outcome.title'),
    type: 'text',
    options: options.length > 0 ? options : undefined,
  };
  const names = [outcome, ...useNames().filter(({ name }) => name !== 'outcome')];
  return withSizes(names, ({ label, type }) =>
    t(type === 'text' ? 'panel.condition.length' : 'panel.condition.amount', { name: label }),
  );
}

export function Ways({ of }: GroupProps) {
  const { t } = useTranslation();
  const { language, readOnly, select } = useDesigner();
  const edit = useEdit();
  const say = useWords(useNamesAt(of));
  const called = useCalled();
  const ways = waysOf(of);
  const usual = partOf(of, 'default');
  const decides = is(of, ...CHOICES);
  const scope = of.$parent;

  const swap = (one: Business | undefined, other: Business | undefined) => {
    if (!scope || !one || !other) return;
    const next = listOf(scope, 'flowElements').map((element) =>
      element === one ? other : element === other ? one : element,
    );
    edit({ of: scope, set: { flowElements: next } });
  };
  // The canvas takes its condition away: the usual way asks nothing.
  const makeUsual = (flow: Business) => edit({ of, set: { default: flow } });
  if (ways.length === 0) return <p className="x-hint">{t('panel.decision.noWays')}</p>;
  return (
    <>
      <p className="x-hint">{t(decides ? 'panel.decision.order' : 'panel.decision.all')}</p>
      <ol className="x-ways">
        {ways.map((flow, index) => {
          const target = called(partOf(flow, 'targetRef'));
          const name = nameIn(language, flow);
          const condition = conditionOf(flow);
          return (
            <li key={flow.id}>
              <div className="x-way-head">
                <Button type="link" size="small" onClick={() => select(flow.id)}>
                  {t('panel.decision.way', {
                    name: name || t('panel.decision.unnamed'),
                    target,
                  })}
                </Button>
                {!readOnly && decides && (
                  <span className="x-nowrap">
                    <Button
                      type="text"
                      size="small"
                      icon={<ArrowUpOutlined />}
                      disabled={index === 0}
                      aria-label={t('panel.decision.earlier', { name: target })}
                      onClick={() => swap(flow, ways[index - 1])}
                    />
                    <Button
                      type="text"
                      size="small"
                      icon={<ArrowDownOutlined />}
                      disabled={index === ways.length - 1}
                      aria-label={t('panel.decision.later', { name: target })}
                      onClick={() => swap(flow, ways[index + 1])}
                    />
                  </span>
                )}
              </div>
              {decides && (
                <>
                  <p>
                    {usual === flow
                      ? t('panel.decision.else')
                      : condition
                        ? say(condition)
                        : t('panel.condition.none')}
                  </p>
                  <Radio checked={usual === flow} disabled={readOnly} onChange={() => makeUsual(flow)}>
                    {t('panel.decision.usual')}
                  </Radio>
                </>
              )}
            </li>
          );
        })}
      </ol>
      {decides && usual && !readOnly && (
        <Button size="small" onClick={() => edit({ of, set: { default: undefined } })}>
          {t('panel.decision.noUsual')}
        </Button>
      )}
    </>
  );
}

/** The condition of a flow, where it leaves a gateway that decides. */
export function FlowCondition({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const gateway = partOf(of, 'sourceRef');
  const names = useNamesAt(gateway ?? of);
  const condition = conditionOf(of);
  const clear = () => edit({ of, set: { conditionExpression: undefined } });
  const commit = (body: string) => {
    if (!body) return clear();
    const made = edit.make('bpmn:FormalExpression', of, { body });
    edit({ of, set: { conditionExpression: made } });
  };
  if (!gateway || !is(gateway, ...CHOICES)) {
    return (
      <>
        <p className="x-hint">{t('panel.decision.noPlace')}</p>
        {condition && <code className="x-code">{condition}</code>}
        {condition && !readOnly && (
          <Button size="small" onClick={clear}>
            {t('panel.decision.clear')}
          </Button>
        )}
      </>
    );
  }
  if (partOf(gateway, 'default') === of) {
    return (
      <>
        <p>{t('panel.decision.isUsual')}</p>
        {!readOnly && (
          <Button size="small" onClick={() => edit({ of: gateway, set: { default: undefined } })}>
            {t('panel.decision.noUsual')}
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <ConditionBuilder text={condition} names={names} commit={commit} />
      {!readOnly && (
        <Button size="small" onClick={() => edit({ of: gateway, set: { default: of } })}>
          {t('panel.decision.makeUsual')}
        </Button>
      )}
    </>
  );
}
