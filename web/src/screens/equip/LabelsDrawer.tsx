/** Labels of plates for the printer: the size, where a sheet begins, how many of each, and the PDF. */
import { Alert, Form } from 'antd';
import { encodeQR } from 'qr';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { equiptags } from '@/api/nouns/equiptags';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { NumberField, SelectField } from '@/kit/fields';
import { save } from '@/lib/save';
import { type Label, type LabelSize, labelsPdf, layout, SIZES } from './labels';
import './plates.css';

type Plate = RowOf<typeof equiptags>;

/** A plate without a printed code. */
export const NFC = 2;
const USUAL = '50x30';
const MOST_COPIES = 20;
/** Pixels of the preview for a millimetre. */
const SCALE = 4;

interface Values {
  size: string;
  used?: number;
  copies: number;
}

/** What stands on the label of a plate: what it is bound to, or its own name, and the code that can be typed. */
function labelOf(plate: Plate): Label {
  const { bindName, bindCode, tagName, tagCode, token } = plate;
  const lines = [bindName || tagName, bindCode, tagCode].filter((line): line is string => Boolean(line));
  return { address: `${window.location.origin}/scan/${token}`, lines };
}

export function LabelsDrawer({ plates, onClose }: { plates: readonly Plate[]; onClose: () => void }) {
  const { t } = useTranslation();
  const printed = plates.filter(({ carrier }) => carrier !== NFC);
  const left = plates.length - printed.length;
  return (
    <FormDrawer<Values>
      size="small"
      title={t('plates.printTitle', { count: printed.length })}
      note={
        left > 0 ? <Alert type="warning" showIcon title={t('plates.noQr', { count: left })} /> : undefined
      }
      initial={{ size: USUAL, copies: 1, used: 0 }}
      submitText={t('plates.pdf')}
      submit={async ({ size, used = 0, copies }) => {
        const chosen = SIZES.find(({ key }) => key === size);
        if (!chosen || printed.length === 0) return;
        const labels = printed.flatMap((plate) => Array<Label>(copies).fill(labelOf(plate)));
        const blob = await labelsPdf(labels, chosen, chosen.sheet ? used : 0);
        await api.post(`${equiptags.path}/printed`, undefined, { ids: printed.map(({ id }) => id) });
        save({ blob, name: `${t('plates.pdfName')}-${size}.pdf` });
      }}
      success={t('plates.printed')}
      invalidates={[[equiptags.name]]}
      onClose={onClose}
    >
      <Fields first={printed[0]} />
    </FormDrawer>
  );
}

function Fields({ first }: { first: Plate | undefined }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const chosen = Form.useWatch('size', form);
  const size = SIZES.find(({ key }) => key === chosen);
  const called = ({ width, height, sheet }: LabelSize) =>
    sheet
      ? `${t('plates.sheet')} ${width} × ${height} mm · ${t('plates.perSheet', { n: sheet.columns * sheet.rows })}`
      : `${t('plates.roll')} ${width} × ${height} mm`;
  return (
    <>
      <SelectField
        name="size"
        label={t('plates.size')}
        required
        options={SIZES.map((one) => ({ value: one.key, label: called(one) }))}
      />
      <NumberField name="copies" label={t('plates.copies')} min={1} max={MOST_COPIES} required />
      {size?.sheet && (
        <NumberField
          name="used"
          label={t('plates.used')}
          hint={t('plates.usedHint')}
          min={0}
          max={size.sheet.columns * size.sheet.rows - 1}
        />
      )}
      {size && first && <Preview label={labelOf(first)} size={size} />}
    </>
  );
}

/** A label as it will come out. */
function Preview({ label, size }: { label: Label; size: LabelSize }) {
  const { t } = useTranslation();
  const { code, text } = layout(size);
  const scale = Math.min(SCALE, 340 / size.width);
  const source = useMemo(() => {
    const svg = encodeQR(label.address, 'svg', { ecc: 'medium', border: 1 });
    return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
  }, [label.address]);
  const placed = (box: typeof code) => ({
    left: box.x * scale,
    top: box.y * scale,
    width: box.width * scale,
    height: box.height * scale,
  });
  const [name, ...others] = label.lines;
  return (
    <div className="x-full">
      <div className="x-hint">{t('plates.preview')}</div>
      <div
        className="x-label"
        data-testid="label"
        style={{ width: size.width * scale, height: size.height * scale }}
      >
        <img src={source} alt={label.address} style={placed(code)} />
        <div className="x-label-text" style={{ ...placed(text), fontSize: text.height * scale * 0.13 }}>
          <strong>{name}</strong>
          {others.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </div>
      </div>
    </div>
  );
}
