/** The drawing as it is stored. */
import { useEffect, useState } from 'react';
import { useTranslation } from '@/i18n';
import { xmlOf } from './canvas/drawing';
import { useDesigner } from './context';

export function XmlView() {
  const { t } = useTranslation();
  const { drawing, changes } = useDesigner();
  const [xml, setXml] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change makes another text
  useEffect(() => {
    let late = false;
    xmlOf(drawing).then((text) => {
      if (!late) setXml(text);
    });
    return () => {
      late = true;
    };
  }, [drawing, changes]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className="x-designer-xml" tabIndex={0} aria-label={t('designer.drawer.xml')}>
      <pre>{xml}</pre>
    </section>
  );
}
