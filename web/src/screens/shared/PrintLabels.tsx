/** Labels with a code for the printer: the size, where a sheet begins, how many of each, and the PDF. */
import { Form } from 'antd';
import { encodeQR } from 'qr';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { NumberField, SelectField } from '@/kit/fields';
import { save } from '@/lib/save';
import { type Label, type LabelSize, labelsPdf, layout, SIZES } from './labels';
import './labels.css';

const USUAL = '50x30';
const MOST_COPIES = 20;
/** Pixels of the preview for a millimetre. */
const SCALE = 4;

interface Values {
  size: string;
  used?: number;
  copies: number;
}

interface PrintProps {
  title: string;
  note?: ReactNode;
  /** What the file is called. */
  name: string;
  labels: readonly Label[];
  /** After the file is made. */
  onPrinted?: () => Promise<unknown>;
  invalidates?: readonly (readonly unknown[])[];
  onClose: () => void;
}

/** Labels of anything with a code: the size, the sheet, how many of each. */
export function PrintLabels({ title, note, name, labels, onPrinted, invalidates, onClose }: PrintProps) {
  const { t } = useTranslation();
  return (
    <FormDrawer<Values>
      size="small"
      title={title}
      note={note}
      initial={{ size: USUAL, copies: 1, used: 0 }}
      submitText={t('plates.pdf')}
      submit={async ({ size, used = 0, copies }) => {
        const chosen = SIZES.find(({ key }) => key === size);
        if (!chosen || labels.length === 0) return;
        const all = labels.flatMap((label) => Array<Label>(copies).fill(label));
        const blob = await labelsPdf(all, chosen, chosen.sheet ? used : 0);
        await onPrinted?.();
        save({ blob, name: `${name}-${size}.pdf` });
      }}
      success={t('plates.printed')}
      invalidates={invalidates}
      onClose={onClose}
    >
      <Fields first={labels[0]} />
    </FormDrawer>
  );
}

function Fields({ first }: { first: Label | undefined }) {
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
      {size && first && <Preview label={first} size={size} />}
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
