/** What the forms of the company ask for: which fields are shown, which are required, and how many photos. */
import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, InputNumber, Radio } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useCan } from '@/session/rights';
import './required.css';

type Scene = Wire<'RequiredScene'>;
type Item = Wire<'RequiredItem'>;

const PICTURES = 3;
const KINDS = ['text', 'choice', 'pictures', 'voice', 'signature'] as const;

export default function RequiredFields() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['required', 'all'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/required/requiredDetails', {}, signal),
  });
  const [chosen, setChosen] = useState<number>();
  const scene = data?.find(({ scene: one }) => one === chosen) ?? data?.[0];
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton rows={8} />;
  return (
    <>
      <div className="x-head">
        <h1>{t('plates.required.title')}</h1>
      </div>
      <div className="x-panel x-required">
        <p className="x-hint">{t('plates.required.hint')}</p>
        <Radio.Group
          className="x-required-scenes"
          optionType="button"
          value={scene?.scene}
          options={data.map(({ scene: value, sceneName: label }) => ({ value, label }))}
          onChange={({ target }) => setChosen(target.value)}
        />
        {scene && <SceneForm key={JSON.stringify(scene)} scene={scene} />}
      </div>
    </>
  );
}

function SceneForm({ scene }: { scene: Scene }) {
  const { t } = useTranslation();
  const mayEdit = useCan('required_edit');
  const [items, setItems] = useState(scene.items);
  const change = (field: string, part: Partial<Item>) =>
    setItems(items.map((item) => (item.field === field ? { ...item, ...part } : item)));
  const action = useAction({
    run: () =>
      api.post('/yuzhu-equip/required/requiredSave', {
        scene: scene.scene,
        items: items.map(({ field, visible, required, min, max, sort }) => ({
          field,
          visible,
          required,
          min,
          max,
          sort,
        })),
      }),
    invalidates: [['required']],
    success: t('plates.required.saved'),
  });
  return (
    <>
      <table className="x-required-table">
        <thead>
          <tr>
            <th>{t('plates.required.field')}</th>
            <th>{t('plates.required.kind')}</th>
            <th>{t('plates.required.shown')}</th>
            <th>{t('plates.required.required')}</th>
            <th>{t('plates.required.least')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.field} item={item} mayEdit={mayEdit} change={(part) => change(item.field, part)} />
          ))}
        </tbody>
      </table>
      {Boolean(action.error) && <ErrorLine error={action.error} />}
      {mayEdit && (
        <p>
          <Button type="primary" loading={action.busy} onClick={() => action.run()}>
            {t('plates.required.save')}
          </Button>
        </p>
      )}
    </>
  );
}

interface RowProps {
  item: Item;
  mayEdit: boolean;
  change: (part: Partial<Item>) => void;
}

function Row({ item, mayEdit, change }: RowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const name = language === 'zh-CN' ? item.label : item.labelEn;
  const kind = KINDS[item.fieldType - 1] ?? 'text';
  const fixed = item.locked === 1 || !mayEdit;
  const isPictures = item.fieldType === PICTURES;
  return (
    <tr>
      <td>
        <span className="x-marks">
          {name}
          {item.locked === 1 && <ToneTag tone="off">{t('plates.required.locked')}</ToneTag>}
        </span>
      </td>
      <td className="x-quiet">{t(`plates.required.kinds.${kind}`)}</td>
      <td>
        <Checkbox
          aria-label={`${name} ${t('plates.required.shown')}`}
          checked={item.visible === 1}
          disabled={fixed}
          onChange={({ target }) =>
            change(target.checked ? { visible: 1 } : { visible: 0, required: 0, min: 0 })
          }
        />
      </td>
      <td>
        <Checkbox
          aria-label={`${name} ${t('plates.required.required')}`}
          checked={item.required === 1}
          disabled={fixed || item.visible === 0}
          onChange={({ target }) =>
            change({ required: Number(target.checked), min: target.checked && isPictures ? 1 : 0 })
          }
        />
      </td>
      <td>
        {isPictures && item.required === 1 && (
          <InputNumber
            aria-label={`${name} ${t('plates.required.least')}`}
            min={1}
            max={item.max}
            value={item.min}
            disabled={fixed}
            onChange={(value) => change({ min: value ?? 1 })}
          />
        )}
      </td>
    </tr>
  );
}
