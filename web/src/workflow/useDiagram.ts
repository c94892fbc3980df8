/** A drawing to look at in a component: names in the person's language, and what is drawn as plain data beside it. */
import Viewer from 'bpmn-js/lib/NavigatedViewer';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLanguage } from '@/i18n';
import { type Canvas, type Events, openAt, showAll } from './canvas';
import { type Drawing, type Moddle, read } from './compare/read';
import { localise } from './diagram';

export interface Shown {
  viewer: Viewer;
  /** As the file has it, in no language of anybody. */
  drawing: Drawing;
}

export interface Diagram {
  frame: RefObject<HTMLDivElement | null>;
  /** Undefined until it is drawn, and again while it is drawn anew. */
  shown: Shown | undefined;
  failed: boolean;
}

/** Draws `xml` into `frame`, anew for each other text and language; at the scale `least` where the whole is smaller. */
export function useDiagram(xml: string, least?: number): Diagram {
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!frame.current) return;
    const viewer = new Viewer({
      container: frame.current,
      bpmnRenderer: { defaultLabelColor: '#1b2530', defaultStrokeColor: '#3a4652' },
      // Who looks at two drawings side by side sees both move at once.
      canvas: { deferUpdate: false },
      // The wheel belongs to the page round the diagram.
      zoomScroll: { enabled: false },
    } as ConstructorParameters<typeof Viewer>[0]);
    let gone = false;
    let drawing: Drawing = new Map();
    viewer.get<Events>('eventBus').on('import.parse.complete', ({ definitions, elementsById }) => {
      if (definitions) drawing = read(definitions as Moddle);
      if (elementsById) localise(Object.values(elementsById), language);
    });
    setFailed(false);
    viewer
      .importXML(xml)
      .then(() => {
        if (gone) return;
        if (least) openAt(viewer, least, least);
        else showAll(viewer.get<Canvas>('canvas'));
        setShown({ viewer, drawing });
      })
      .catch((error) => {
        if (gone) return;
        console.error(error);
        setFailed(true);
      });
    return () => {
      gone = true;
      setShown(undefined);
      viewer.destroy();
    };
  }, [xml, language, least]);

  return { frame, shown, failed };
}
