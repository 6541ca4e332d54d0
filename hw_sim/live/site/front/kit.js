// The case in 3D: a drag turns it, a slider takes it apart. Each part's way stands in its node.
import { Box3, DirectionalLight, GLTFLoader, HemisphereLight, OrbitControls, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from "./three.js";
import { node } from "./nodes.js";
import { dress, say } from "./words.js";

const NAME = "handheld", [place, apart] = ["kit", "apart"].map((id) => document.getElementById(id));
dress("kitTitle");

function without() {
  place.replaceChildren(node("p", "", say("kitDark")));
  apart.disabled = true;
}

async function show() {
  const painter = new WebGLRenderer({ antialias: true, alpha: true });
  painter.outputColorSpace = SRGBColorSpace;
  const handheld = (await new GLTFLoader().loadAsync(`${NAME}.glb`)).scene;
  const scene = new Scene(), camera = new PerspectiveCamera(30, 1, 0.01, 3);
  const lamp = new DirectionalLight(0xffffff, 4);
  lamp.position.set(-0.6, 1, 0.5);
  scene.add(handheld, new HemisphereLight(0xffffff, 0xb9a98a, 2.3), lamp);
  const middle = new Box3().setFromObject(handheld).getCenter(new Vector3());
  const controls = new OrbitControls(camera, painter.domElement);
  Object.assign(controls, { enablePan: false, minDistance: 0.12, maxDistance: 1 });
  camera.position.copy(middle).add(new Vector3(-0.1, 0.18, 0.19));
  controls.target.copy(middle);

  let asked = 0, reach = 1;
  const draw = () => { asked = 0; painter.render(scene, camera); };
  const redraw = () => { asked ||= requestAnimationFrame(draw); };
  const size = () => {
    camera.aspect = place.clientWidth / place.clientHeight;
    camera.fov = 2 * Math.atan(0.205 / Math.min(1, camera.aspect / 1.2)) * 180 / Math.PI;  // as wide on a phone
    camera.updateProjectionMatrix();
    painter.setPixelRatio(Math.min(devicePixelRatio, 2));
    painter.setSize(place.clientWidth, place.clientHeight);
    redraw();
  };
  const move = () => {
    for (const part of handheld.children) part.position.y = part.userData.lift * (apart.value / 100);
    const now = new Box3().setFromObject(handheld).getCenter(new Vector3());
    const away = camera.position.clone().sub(controls.target), wanted = 1 + Math.min(1.15, camera.aspect) * apart.value / 100;
    controls.target.y = now.y;
    camera.position.copy(controls.target).addScaledVector(away, wanted / reach);
    reach = wanted;
    controls.update();
    redraw();
  };
  controls.addEventListener("change", redraw);
  apart.addEventListener("input", move);
  new ResizeObserver(size).observe(place);
  place.replaceChildren(painter.domElement);
  place.dataset.shown = NAME;
  size();
  move();
}

await show().catch(without);
