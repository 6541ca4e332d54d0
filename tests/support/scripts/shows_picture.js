() => {
  const glass = document.querySelector(".mine .glass");
  if (!glass) return false;
  const { data } = glass.getContext("2d").getImageData(0, 0, glass.width, glass.height);
  for (let i = 1; i < data.length; i += 4) if (data[i] > 150) return true;
  return false;
}
